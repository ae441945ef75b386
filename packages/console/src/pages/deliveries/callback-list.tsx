import type { Callback } from '@switchboard/client';
import { useState } from 'react';
import { useCallbacks, useRedeliver } from '../../data/deliveries.ts';
import { Attempts, CallbackState } from '../../ui/attempts.tsx';
import { Button } from '../../ui/button.tsx';
import { Receiver } from '../../ui/callback-status.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Call, Event } from './callback-cells.tsx';
import { CallbackFilterBar, useCallbackFilters } from './callback-filters.tsx';
import { RedeliverDialog } from './redeliver-dialog.tsx';
import { type Selection, selectionColumn, useSelection } from './selection.tsx';

/** Callbacks, with redelivery of one, of a selection, or of all that failed. */
export function CallbackList() {
  const { filters, set, clear } = useCallbackFilters();
  const callbacks = useCallbacks(filters);
  const rows = callbacks.data?.pages.flatMap(({ items }) => items) ?? [];
  const selection = useSelection(rows.map(({ id }) => id));
  return (
    <>
      <div className="filters">
        <CallbackFilterBar filters={filters} set={set} />
        <RedeliverMany selection={selection} />
      </div>
      {callbacks.isPending && <Skeleton />}
      {callbacks.error && <Failure error={callbacks.error} onRetry={callbacks.refetch} />}
      {callbacks.data && rows.length === 0 && (
        <NoCallbacks isFiltered={filters.status !== null || filters.endpoint !== null} onClear={clear} />
      )}
      {rows.length > 0 && <CallbackTable rows={rows} selection={selection} />}
      <More query={callbacks} />
    </>
  );
}

function RedeliverMany({ selection }: { selection: Selection }) {
  const redeliver = useRedeliver();
  const [isAsking, setAsking] = useState(false);
  const count = selection.ids.length;
  return (
    <>
      {count > 0 && (
        <Button
          needs="redeliverCallbacks"
          kind="primary"
          icon="refresh"
          onClick={() => redeliver.mutate({ ids: selection.ids }, { onSuccess: selection.clear })}
          isBusy={redeliver.isPending}
        >
          {`Redeliver ${count} selected`}
        </Button>
      )}
      <Button needs="redeliverCallbacks" icon="refresh" onClick={() => setAsking(true)}>
        Redeliver failed…
      </Button>
      {redeliver.error && <Failure error={redeliver.error} />}
      {isAsking && <RedeliverDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function CallbackTable({ rows, selection }: { rows: Callback[]; selection: Selection }) {
  const redeliver = useRedeliver();
  const columns: Column<Callback>[] = [
    selectionColumn(selection),
    { title: 'Event', cell: (callback) => <Event callback={callback} /> },
    { title: 'State', cell: (callback) => <CallbackState callback={callback} /> },
    { title: 'Call', cell: (callback) => <Call callback={callback} />, isMinor: true },
    { title: 'Receiver', cell: ({ url }) => <Receiver url={url} />, isText: true, isMinor: true },
    { title: 'Attempts', cell: (callback) => <Attempts callback={callback} />, isMinor: true },
    {
      title: 'Next attempt',
      cell: ({ next_attempt_at }) => <Time at={next_attempt_at} />,
      isNumber: true,
      isMinor: true,
    },
    { title: 'Sent', cell: ({ created_at }) => <Time at={created_at} />, isNumber: true, isMinor: true },
    {
      title: 'Again',
      isNumber: true,
      cell: ({ id }) => (
        <span className="row-actions">
          <Button
            needs="redeliverCallbacks"
            icon="refresh"
            onClick={() => redeliver.mutate({ ids: [id] })}
            disabled={redeliver.isPending}
          >
            <span className="word">Redeliver</span>
          </Button>
        </span>
      ),
    },
  ];
  return (
    <>
      {redeliver.error && <Failure error={redeliver.error} />}
      <Table label="Callbacks" isDense columns={columns} rows={rows} keyOf={({ id }) => id} />
    </>
  );
}

function NoCallbacks({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <Empty title="No callback matches" text="Try other filters.">
        <Button onClick={onClear}>All callbacks</Button>
      </Empty>
    );
  }
  return (
    <Empty
      title="Nothing has been sent"
      text="Give an agent a callback URL, or add a webhook endpoint that gets the events of all calls."
      to="/deliveries?tab=endpoints"
      action="Add an endpoint"
    />
  );
}
