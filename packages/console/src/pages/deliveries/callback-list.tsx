import type { Callback, CallbackStatus } from '@switchboard/client';
import { Link, useSearchParams } from 'wouter';
import { useCallbacks, useRedeliver } from '../../data/deliveries.ts';
import { Button } from '../../ui/button.tsx';
import { CallbackStatusBadge } from '../../ui/callback-status.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Attempts } from './attempts.tsx';

const STATUSES = ['pending', 'delivered', 'failed'] as const;

/** Callbacks, to be sent again one by one, or all that are shown as failed. */
export function CallbackList() {
  const [search, setSearch] = useSearchParams();
  const status = STATUSES.find((one) => one === search.get('status')) ?? null;
  const callbacks = useCallbacks(status);
  const redeliver = useRedeliver();
  const rows = callbacks.data?.pages.flatMap(({ items }) => items) ?? [];
  const failed = rows.filter((one) => one.status === 'failed').map(({ id }) => id);
  const columns: Column<Callback>[] = [
    { title: 'Event', cell: ({ type }) => <code>{type}</code> },
    { title: 'State', cell: ({ status: state }) => <CallbackStatusBadge status={state} /> },
    { title: 'Call', cell: ({ call_id }) => <Link to={`/calls/${call_id}`}>Open</Link>, isMinor: true },
    { title: 'Receiver', cell: ({ url }) => <span className="muted clip-line">{url}</span>, isMinor: true },
    { title: 'Attempts', cell: (callback) => <Attempts callback={callback} />, isMinor: true },
    { title: 'Sent', cell: ({ created_at }) => <Time at={created_at} />, isNumber: true, isMinor: true },
    {
      title: 'Again',
      isNumber: true,
      cell: ({ id }) => (
        <Button icon="refresh" onClick={() => redeliver.mutate([id])} disabled={redeliver.isPending}>
          Redeliver
        </Button>
      ),
    },
  ];
  return (
    <>
      <div className="filters">
        <select
          aria-label="State"
          value={status ?? ''}
          data-set={status ?? undefined}
          onChange={(event) => setSearch(event.target.value ? { status: event.target.value } : {})}
        >
          <option value="">Any state</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {LABELS[one]}
            </option>
          ))}
        </select>
        {failed.length > 1 && (
          <Button icon="refresh" onClick={() => redeliver.mutate(failed)} isBusy={redeliver.isPending}>
            {`Redeliver ${failed.length} failed`}
          </Button>
        )}
      </div>
      {callbacks.isPending && <Skeleton />}
      {callbacks.error && <Failure error={callbacks.error} onRetry={callbacks.refetch} />}
      {redeliver.error && <Failure error={redeliver.error} />}
      {callbacks.data && rows.length === 0 && <NoCallbacks isFiltered={status !== null} />}
      {rows.length > 0 && <Table label="Callbacks" columns={columns} rows={rows} keyOf={({ id }) => id} />}
      <More query={callbacks} />
    </>
  );
}

const LABELS: Record<CallbackStatus, string> = { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' };

function NoCallbacks({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No callback is in this state" />;
  return (
    <Empty
      title="Nothing has been sent"
      text="Give an agent a callback URL, or add a webhook endpoint that gets the events of all calls."
      to="/deliveries?tab=endpoints"
      action="Add an endpoint"
    />
  );
}
