import type { AgentConfigCheck } from '@switchboard/client';

interface Props {
  /** Why the text is no JSON object, if it is none. */
  problem: string | null;
  check: AgentConfigCheck | undefined;
}

/** The service’s check of a configuration while it is written. */
export function ConfigReport({ problem, check }: Props) {
  return (
    <div className="config-report" role="status" aria-label="Check of the configuration">
      {problem && <p className="problem">{problem}</p>}
      {!problem && check && check.problems.length > 0 && (
        <ul>
          {check.problems.map(({ loc, msg }) => (
            <li key={`${loc.join('.')} ${msg}`} className="problem">
              <code>{loc.filter((part) => part !== 'body' && part !== 'config').join('.')}</code> {msg}
            </li>
          ))}
        </ul>
      )}
      {!problem && check?.valid && <p className="muted">The configuration is valid.</p>}
      {!problem && check && check.variables.length > 0 && (
        <p className="muted">
          Variables of a call:{' '}
          {check.variables.map((name) => (
            <code key={name}>{name} </code>
          ))}
        </p>
      )}
    </div>
  );
}
