import type { CallDetail } from '@switchboard/client';
import { useCallCosts, useCallTotal } from '../../data/calls.ts';
import { type CostGroup, type CostLine, groupLines, toLines } from '../../data/cost-groups.ts';
import { Failure } from '../../ui/failure.tsx';
import { Money } from '../../ui/money.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';

const GROUPS: Column<CostGroup>[] = [
  { title: 'Provider', cell: ({ provider }) => provider },
  {
    title: 'What',
    cell: ({ event_type, model }) => (
      <>
        {event_type.replaceAll('_', ' ')}
        {model && <span className="muted clip-line small">{model}</span>}
      </>
    ),
  },
  { title: 'Entries', cell: ({ lines }) => lines, isNumber: true, isMinor: true },
  { title: 'Quantity', cell: ({ quantity }) => <span className="number">{quantity}</span>, isNumber: true },
  {
    title: 'Cost',
    cell: ({ total_cost, unpriced }) => (
      <>
        <Money amount={total_cost} exact />
        {unpriced > 0 && <span className="problem"> + {unpriced} unpriced</span>}
      </>
    ),
    isNumber: true,
  },
];

const COLUMNS: Column<CostLine>[] = [
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

/** The costs of a call by provider and kind of usage; on demand line by line, with all digits. */
export function CostLines({ call }: { call: CallDetail }) {
  const total = useCallTotal(call.call_id);
  const costs = useCallCosts(call);
  const lines = toLines(costs.data?.pages.flatMap(({ items }) => items) ?? []);
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
      {lines.length > 0 && (
        <>
          <Table label="Costs by kind" columns={GROUPS} rows={groupLines(lines)} keyOf={keyOf} />
          {costs.hasNextPage && (
            <p className="muted small">{`These are the first ${lines.length} entries; the sum above has all.`}</p>
          )}
          <details className="cost-lines">
            <summary>{`Each entry (${lines.length}${costs.hasNextPage ? '+' : ''})`}</summary>
            <Table label="Cost lines" columns={COLUMNS} rows={lines} keyOf={({ id }) => id} />
            <More query={costs} />
          </details>
        </>
      )}
    </Section>
  );
}

const keyOf = ({ provider, event_type, model }: CostGroup) => JSON.stringify([provider, event_type, model]);
