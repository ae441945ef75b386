import type { Callback, CallDetail } from '@switchboard/client';
import { useCallActions, useCallCallbacks } from '../../data/calls.ts';
import { Attempts, CallbackState } from '../../ui/attempts.tsx';
import { Button } from '../../ui/button.tsx';
import { EventType, Receiver } from '../../ui/callback-status.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** Callbacks about a call, each with its receiver's responses. */
export function Callbacks({ call }: { call: CallDetail }) {
  const callbacks = useCallCallbacks(call.call_id);
  const { redeliver } = useCallActions(call.call_id);
  const columns: Column<Callback>[] = [
    { title: 'Event', cell: (callback) => <Event callback={callback} />, isText: true },
    { title: 'State', cell: (callback) => <CallbackState callback={callback} /> },
    { title: 'Attempts', cell: (callback) => <Attempts callback={callback} />, isMinor: true },
    { title: 'Sent', cell: ({ created_at }) => <Time at={created_at} precise />, isNumber: true, isExtra: true },
    {
      title: 'Again',
      cell: ({ id }) => (
        <span className="row-actions">
          <Button
            needs="redeliverCallback"
            onClick={() => redeliver.mutate(id)}
            isBusy={redeliver.isPending && redeliver.variables === id}
            icon="refresh"
          >
            <span className="word">Redeliver</span>
          </Button>
        </span>
      ),
      isNumber: true,
    },
  ];
  return (
    <Section title="Callbacks">
      {callbacks.isPending && <Skeleton lines={2} />}
      {callbacks.error && <Failure error={callbacks.error} onRetry={callbacks.refetch} />}
      {redeliver.error && <Failure error={redeliver.error} />}
      {callbacks.data?.length === 0 && (
        <p className="muted">
          None: neither the call nor its agent has a callback URL, and there is no webhook endpoint.
        </p>
      )}
      {callbacks.data && callbacks.data.length > 0 && (
        <Table label="Callbacks" isDense columns={columns} rows={callbacks.data} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}

/** The reported event and its destination. */
function Event({ callback: { type, url } }: { callback: Callback }) {
  return (
    <>
      <EventType type={type} />
      <span className="small">
        <Receiver url={url} />
      </span>
    </>
  );
}
