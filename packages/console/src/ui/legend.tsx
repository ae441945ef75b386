import type { ReactNode } from 'react';

interface Item {
  name: string;
  /** The class that sets its color. */
  className: string;
  value?: ReactNode;
}

/** The colors of the series, in order, each with its figure if it has one. */
export function Legend({ items }: { items: Item[] }) {
  return (
    <ul className={items.some(({ value }) => value !== undefined) ? 'legend with-values' : 'legend'}>
      {items.map(({ name, className, value }) => (
        <li key={name}>
          <span className={`swatch ${className}`} aria-hidden="true" />
          <span className="clip" title={name}>
            {name}
          </span>
          {value !== undefined && <span className="legend-value number">{value}</span>}
        </li>
      ))}
    </ul>
  );
}
