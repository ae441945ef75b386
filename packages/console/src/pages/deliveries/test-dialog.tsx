import type { Callback, WebhookEndpoint } from '@switchboard/client';
import { Link } from 'wouter';
import { useTestEvent } from '../../data/deliveries.ts';
import { Button } from '../../ui/button.tsx';
import { CallbackStatusBadge } from '../../ui/callback-status.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';

/** Sends a test event to an endpoint, and shows the receiver's response. */
export function TestDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { send, callback, error } = useTestEvent();
  return (
    <Dialog title="Send a test event" isOpen onClose={onClose}>
      <div className="form">
        <p>
          Sends <code>webhook.test</code> to <span className="strong anywhere">{endpoint.url}</span>, signed like any
          other event.
        </p>
        <div role="status">{callback && <Answer callback={callback} />}</div>
        {error && <Failure error={error} />}
        <div className="form-end">
          {callback && (
            <Link to="/deliveries" className="button plain">
              All callbacks
            </Link>
          )}
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" isBusy={send.isPending} onClick={() => send.mutate(endpoint.id)}>
            {callback ? 'Send another' : 'Send'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Answer({ callback: { status, attempts } }: { callback: Callback }) {
  const last = attempts.at(-1);
  return (
    <p className="actions">
      {last ? <CallbackStatusBadge status={status} /> : <span className="muted">Waiting for the response…</span>}
      {last && (
        <span className="muted">
          {last.response_status === null ? last.error?.replaceAll('_', ' ') : `HTTP ${last.response_status}`} in{' '}
          {last.latency_ms} ms
          {status === 'pending' && ': it will be tried again'}
        </span>
      )}
    </p>
  );
}
