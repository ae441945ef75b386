const WIDTHS = ['60%', '80%', '45%', '70%', '55%'];

/** Placeholder lines with the height of a list, until it is loaded. */
export function Skeleton({ lines = 5 }: { lines?: number }) {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all lines are identical.
        <div key={line} style={{ inlineSize: WIDTHS[line % WIDTHS.length] }} />
      ))}
    </div>
  );
}
