import type { ReactNode } from 'react';
import { percentText } from '../data/call-figures.ts';

interface Bar {
  label: string;
  /** Length for display only. */
  count: number;
  /** Replaces the count. */
  shown?: ReactNode;
}

/** Counts or amounts as bars, the largest first. */
export function Bars({ label, bars }: { label: string; bars: Bar[] }) {
  const top = Math.max(...bars.map(({ count }) => count)) || 1;
  const sum = bars.reduce((total, { count }) => total + count, 0) || 1;
  return (
    <ul className="bars" aria-label={label}>
      {bars.map(({ label: name, count, shown }) => (
        <li key={name}>
          <span className="bar-label">{name}</span>
          <span className="number">
            {shown ?? count} <span className="muted">{percentText(count / sum)}</span>
          </span>
          <span className="bar" aria-hidden="true">
            <span style={{ inlineSize: `${(count / top) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
