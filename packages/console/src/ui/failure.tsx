import { SwitchboardError } from '@switchboard/client';
import { Button } from './button.tsx';

/** A failed request: the reason, its id in the service's log, and a retry button. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  return (
    <div className="failure" role="alert">
      <p>{messageOf(error)}</p>
      {error instanceof SwitchboardError && error.requestId && (
        <p className="muted small">
          Request <code>{error.requestId}</code>
        </p>
      )}
      {onRetry && (
        <Button icon="refresh" onClick={() => onRetry()}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Whether something does not exist, as far as this user may know. */
export const isMissing = (error: unknown) => error instanceof SwitchboardError && error.status === 404;

/** The service's error message; for an invalid request, each problem with its field. */
export function messageOf(error: unknown): string {
  if (!(error instanceof SwitchboardError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'network_error') return 'The service cannot be reached.';
  if (error.code === 'timeout') return 'The service did not respond in time.';
  if (error.problems.length === 0) return error.detail;
  return error.problems.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'The request'}: ${msg}`).join('. ');
}
