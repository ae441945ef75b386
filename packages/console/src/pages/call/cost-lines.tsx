import type { CallDetail, SessionCosts } from '@switchboard/client';
import { useCallCosts } from '../../data/calls.ts';
import { Failure } from '../../ui/failure.tsx';
import { Money } from '../../ui/money.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';

type Event = SessionCosts['events'][number];

const COLUMNS: Column<Event>[] = [
  { title: 'Provider', cell: ({ provider }) => provider },
  { title: 'What', cell: ({ event_type }) => event_type.replaceAll('_', ' ') },
  { title: 'Quantity', cell: ({ quantity }) => <span className="number">{quantity}</span>, isNumber: true },
  { title: 'Unit price', cell: ({ unit_cost }) => <Money amount={unit_cost} exact />, isNumber: true, isMinor: true },
  { title: 'Cost', cell: ({ total_cost }) => <Money amount={total_cost} exact />, isNumber: true },
];

/** The costs of a call, line by line, to the digit. */
export function CostLines({ call }: { call: CallDetail }) {
  const costs = useCallCosts(call.call_id);
  // The sum covers all lines; that of the latest page is the newest.
  const total = costs.data?.pages.at(-1)?.total_cost;
  const lines = costs.data?.pages.flatMap(({ events }) => events) ?? [];
  return (
    <Section
      title="Costs"
      actions={
        total && (
          <span className="total">
            <Money amount={total} exact />
          </span>
        )
      }
    >
      {costs.isPending && <Skeleton lines={3} />}
      {costs.error && <Failure error={costs.error} onRetry={costs.refetch} />}
      {costs.data && lines.length === 0 && <p className="muted">Nothing has been used yet.</p>}
      {lines.length > 0 && <Table label="Cost lines" columns={COLUMNS} rows={lines} keyOf={({ id }) => id} />}
      <More query={costs} />
    </Section>
  );
}
