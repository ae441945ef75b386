import type { Callback } from '@switchboard/client';
import { CallbackStatusBadge } from './callback-status.tsx';
import { useIsNarrow } from './narrow.ts';
import { Time } from './time.tsx';

/** Attempts to deliver a callback: the last response, and all of them on demand. */
export function Attempts({ callback: { attempts, next_attempt_at } }: { callback: Callback }) {
  const last = attempts.at(-1);
  if (!last) return <span className="muted">None yet</span>;
  return (
    <details className="attempts">
      <summary>
        {answerOf(last)}
        {attempts.length > 1 && <span className="muted"> · {attempts.length} attempts</span>}
      </summary>
      <ol>
        {attempts.map((attempt) => (
          <li key={attempt.attempted_at} className="muted">
            <Time at={attempt.attempted_at} precise /> · {answerOf(attempt)} · {attempt.latency_ms} ms
          </li>
        ))}
        {next_attempt_at && (
          <li className="muted">
            Next: <Time at={next_attempt_at} precise />
          </li>
        )}
      </ol>
    </details>
  );
}

/** The response of a receiver, or why there was none. */
export const answerOf = ({ response_status, error }: Callback['attempts'][number]) =>
  response_status ?? error?.replaceAll('_', ' ') ?? 'no answer';

/** Whether the receiver accepted. */
export const isAccepted = ({ response_status: status }: Callback['attempts'][number]) =>
  status !== null && status >= 200 && status < 300;

/** Whether the last attempt failed; a callback is then given up, or attempted again. */
function isFailing({ status, attempts }: Callback): boolean {
  const last = attempts.at(-1);
  return status === 'failed' || (status === 'pending' && last !== undefined && !isAccepted(last));
}

/** The state of a callback; on narrow screens with the receiver's response. */
export function CallbackState({ callback }: { callback: Callback }) {
  const isNarrow = useIsNarrow();
  return (
    <>
      <CallbackStatusBadge status={callback.status} isFailing={isFailing(callback)} />
      {isNarrow && (
        <span className="value small">
          <Attempts callback={callback} />
        </span>
      )}
    </>
  );
}
