interface Bar {
  label: string;
  count: number;
}

/** Counts as bars, the largest first. */
export function Bars({ label, bars }: { label: string; bars: Bar[] }) {
  const top = Math.max(...bars.map(({ count }) => count), 1);
  const sum = bars.reduce((total, { count }) => total + count, 0);
  return (
    <ul className="bars" aria-label={label}>
      {bars.map(({ label: name, count }) => (
        <li key={name}>
          <span className="bar-label">{name}</span>
          <span className="number">
            {count} <span className="muted">{Math.round((count / sum) * 100)} %</span>
          </span>
          <span className="bar" aria-hidden="true">
            <span style={{ inlineSize: `${(count / top) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
