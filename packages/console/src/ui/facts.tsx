import type { ReactNode } from 'react';

interface Props {
  /** Those without a value are left out. */
  facts?: [label: string, value: ReactNode][];
  variables: Record<string, unknown> | null;
  metadata: Record<string, unknown> | null;
}

/** Facts about a call, or about somebody to be called, with its data. */
export function FactList({ facts = [], variables, metadata }: Props) {
  return (
    <dl className="facts">
      {facts.map(([label, value]) =>
        value ? (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
      <Values label="Variables" values={variables ?? {}} />
      <Values label="Metadata" values={metadata ?? {}} />
    </dl>
  );
}

/** Values by name; nothing if there are none. */
function Values({ label, values }: { label: string; values: Record<string, unknown> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {entries.map(([name, value]) => (
          <code key={name} className="value">
            {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
          </code>
        ))}
      </dd>
    </div>
  );
}
