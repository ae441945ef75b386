import type { CallDetail, LedgerEvent } from '@switchboard/client';
import { useCallCosts, useCallTotal } from '../../data/calls.ts';
import { Failure } from '../../ui/failure.tsx';
import { Money } from '../../ui/money.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';

/** A line, and whether it is unpriced: it was logged without a price, and no entry below has priced it since. */
type Line = LedgerEvent & { hasNoPrice: boolean };

const COLUMNS: Column<Line>[] = [
  { title: 'Provider', cell: ({ provider }) => provider },
  { title: 'What', cell: ({ event_type }) => event_type.replaceAll('_', ' ') },
  { title: 'Quantity', cell: ({ quantity }) => <span className="number">{quantity}</span>, isNumber: true },
  {
    title: 'Unit price',
    cell: ({ unit_cost, hasNoPrice }) => (hasNoPrice ? '–' : <Money amount={unit_cost} exact />),
    isNumber: true,
    isMinor: true,
  },
  {
    title: 'Cost',
    cell: ({ total_cost, hasNoPrice }) =>
      hasNoPrice ? <span className="problem">unpriced</span> : <Money amount={total_cost} exact />,
    isNumber: true,
  },
];

/** The costs of a call, line by line, with all digits. */
export function CostLines({ call }: { call: CallDetail }) {
  const total = useCallTotal(call.call_id);
  const costs = useCallCosts(call);
  const events = costs.data?.pages.flatMap(({ items }) => items) ?? [];
  const adjusted = new Set(events.map(({ adjusts }) => adjusts));
  const lines = events.map((event) => ({ ...event, hasNoPrice: event.is_unpriced && !adjusted.has(event.id) }));
  const unpriced = lines.filter(({ hasNoPrice }) => hasNoPrice).length;
  return (
    <Section
      title="Costs"
      actions={
        total.data && (
          <span className="total">
            <Money amount={total.data} exact />
            {unpriced > 0 && <span className="problem"> + {unpriced} unpriced</span>}
          </span>
        )
      }
    >
      {costs.isPending && <Skeleton lines={3} />}
      {costs.error && <Failure error={costs.error} onRetry={costs.refetch} />}
      {costs.data && lines.length === 0 && <p className="muted">No usage yet.</p>}
      {lines.length > 0 && <Table label="Cost lines" columns={COLUMNS} rows={lines} keyOf={({ id }) => id} />}
      <More query={costs} />
    </Section>
  );
}
