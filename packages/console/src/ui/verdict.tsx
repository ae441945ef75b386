import type { DialCheck, DialDecision } from '@switchboard/client';
import { Badge } from './status.tsx';
import { Time } from './time.tsx';

const OUTCOMES = {
  allow: ['good', 'Allowed'],
  defer: ['warn', 'Deferred'],
  deny: ['bad', 'Denied'],
} as const;

/** A decision about a number, with each reason, and on demand with all that it was decided from. */
export function Verdict({ verdict }: { verdict: DialCheck | DialDecision }) {
  const [tone, label] = OUTCOMES[verdict.outcome];
  return (
    <div className="verdict">
      <span>
        <Badge tone={tone}>{label}</Badge>
        {verdict.not_before && (
          <span className="muted small">
            {' – allowed from '}
            <Time at={verdict.not_before} />
          </span>
        )}
      </span>
      {verdict.reasons.map(({ rule, detail, source }) => (
        <span key={`${rule} ${detail}`} className="small">
          {detail} <span className="muted">{source}</span>
        </span>
      ))}
      <details className="small">
        <summary className="muted">Decided from</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <pre tabIndex={0}>{JSON.stringify(verdict.inputs, null, 2)}</pre>
      </details>
    </div>
  );
}
