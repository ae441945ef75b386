const WIDTHS = ['60%', '80%', '45%', '70%', '55%'];

/** Lines of the height of a list, until it is there. */
export function Skeleton({ lines = 5 }: { lines?: number }) {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are all alike.
        <div key={line} style={{ inlineSize: WIDTHS[line % WIDTHS.length] }} />
      ))}
    </div>
  );
}
