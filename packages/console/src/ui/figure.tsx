import type { ReactNode } from 'react';

/** One figure in a row, with a smaller one below it. */
export function Figure({ label, value, below }: { label: string; value: ReactNode; below?: ReactNode }) {
  return (
    <div className="figure">
      <dt>{label}</dt>
      <dd className="figure-value number">{value}</dd>
      {below && <dd className="muted small number">{below}</dd>}
    </div>
  );
}
