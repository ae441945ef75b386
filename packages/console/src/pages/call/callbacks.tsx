import type { Callback, CallDetail } from '@switchboard/client';
import { useCallActions, useCallCallbacks } from '../../data/calls.ts';
import { Button } from '../../ui/button.tsx';
import { CallbackStatusBadge, EventType, Receiver } from '../../ui/callback-status.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useIsNarrow } from '../../ui/narrow.ts';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** Callbacks about a call, each with the answer of its receiver. */
export function Callbacks({ call }: { call: CallDetail }) {
  const callbacks = useCallCallbacks(call.call_id);
  const { redeliver } = useCallActions(call.call_id);
  const columns: Column<Callback>[] = [
    { title: 'Event', cell: (callback) => <Event callback={callback} />, isText: true },
    { title: 'State', cell: (callback) => <State callback={callback} /> },
    { title: 'Answer', cell: ({ attempts }) => <Answer attempts={attempts} />, isMinor: true },
    { title: 'Sent', cell: ({ created_at }) => <Time at={created_at} precise />, isNumber: true, isExtra: true },
    {
      title: 'Again',
      cell: ({ id }) => (
        <span className="row-actions">
          <Button
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

/** The event that is reported, and to where. */
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

/** The state of a callback; on narrow screens with what the receiver answered. */
function State({ callback: { status, attempts } }: { callback: Callback }) {
  const isNarrow = useIsNarrow();
  return (
    <>
      <CallbackStatusBadge status={status} />
      {isNarrow && (
        <span className="value small">
          <Answer attempts={attempts} />
        </span>
      )}
    </>
  );
}

function Answer({ attempts }: Pick<Callback, 'attempts'>) {
  const last = attempts.at(-1);
  if (!last) return <span className="muted">not yet</span>;
  const answer = last.response_status ?? last.error?.replaceAll('_', ' ') ?? 'none';
  return (
    <span className="nowrap">
      {answer} <span className="muted">in {last.latency_ms} ms</span>
      {attempts.length > 1 && <span className="muted"> · {attempts.length} attempts</span>}
    </span>
  );
}
