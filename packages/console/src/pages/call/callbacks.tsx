import type { Callback, CallDetail } from '@switchboard/client';
import { useCallActions, useCallCallbacks } from '../../data/calls.ts';
import { Button } from '../../ui/button.tsx';
import { CallbackStatusBadge } from '../../ui/callback-status.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** Callbacks about a call, each with the answer of its receiver. */
export function Callbacks({ call }: { call: CallDetail }) {
  const callbacks = useCallCallbacks(call.call_id);
  const { redeliver } = useCallActions(call.call_id);
  const columns: Column<Callback>[] = [
    { title: 'Event', cell: ({ type }) => <code>{type}</code> },
    { title: 'State', cell: ({ status }) => <CallbackStatusBadge status={status} /> },
    { title: 'Receiver', cell: ({ url }) => <span className="muted clip-line">{url}</span>, isMinor: true },
    { title: 'Answer', cell: ({ attempts }) => <Answer attempts={attempts} />, isMinor: true },
    { title: 'Sent', cell: ({ created_at }) => <Time at={created_at} precise />, isNumber: true, isMinor: true },
    {
      title: 'Again',
      cell: ({ id }) => (
        <Button
          onClick={() => redeliver.mutate(id)}
          isBusy={redeliver.isPending && redeliver.variables === id}
          icon="refresh"
        >
          Redeliver
        </Button>
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
        <Table label="Callbacks" columns={columns} rows={callbacks.data} keyOf={({ id }) => id} />
      )}
    </Section>
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
