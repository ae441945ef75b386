import type { AgentConfigCheck } from '@switchboard/client';

interface Props {
  /** The reason why the text is not a JSON object, if it is not. */
  problem: string | null;
  check: AgentConfigCheck | undefined;
}

/** The service’s validation of a configuration as it is typed. */
export function ConfigReport({ problem, check }: Props) {
  return (
    <div className="config-report" role="status" aria-label="Check of the configuration">
      {problem && <p className="problem">{problem}</p>}
      {!problem && check && check.problems.length > 0 && <ConfigProblems problems={check.problems} />}
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

/** The problems of a configuration, each with its place. */
function ConfigProblems({ problems }: Pick<AgentConfigCheck, 'problems'>) {
  return (
    <ul>
      {problems.map(({ loc, msg }) => (
        <li key={`${loc.join('.')} ${msg}`} className="problem">
          <code>{loc.filter((part) => part !== 'body' && part !== 'config').join('.')}</code> {msg}
        </li>
      ))}
    </ul>
  );
}
