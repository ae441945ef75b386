import type { CallDetail } from '@switchboard/client';
import { useCallCosts, useCallSums } from '../../data/calls.ts';
import { type CostGroup, type CostLine, type CostSum, groupLines, sortSums, toLines } from '../../data/cost-groups.ts';
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

const SUMS: Column<CostSum>[] = [
  { title: 'What', cell: ({ event_type }) => event_type.replaceAll('_', ' ') },
  { title: 'Cost', cell: ({ total_cost }) => <Money amount={total_cost} exact />, isNumber: true },
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
  const sums = useCallSums(call.call_id);
  const costs = useCallCosts(call);
  const lines = toLines(costs.data?.pages.flatMap(({ items }) => items) ?? []);
  // The entries that price others come last.
  const unpriced = costs.hasNextPage ? 0 : lines.filter(({ hasNoPrice }) => hasNoPrice).length;
  return (
    <Section
      title="Costs"
      actions={
        sums.data && (
          <span className="total">
            <Money amount={sums.data.total_cost} exact />
            {unpriced > 0 && <span className="problem"> + {unpriced} unpriced</span>}
          </span>
        )
      }
    >
      {costs.isPending && <Skeleton lines={3} />}
      {costs.error && <Failure error={costs.error} onRetry={costs.refetch} />}
      {sums.error && <Failure error={sums.error} onRetry={sums.refetch} />}
      {costs.data && lines.length === 0 && <p className="muted">No usage yet.</p>}
      {lines.length > 0 && (
        <>
          {costs.hasNextPage ? (
            sums.data && <AllSums byKind={sums.data.by_event_type} />
          ) : (
            <Table label="Costs by kind" columns={GROUPS} rows={groupLines(lines)} keyOf={keyOf} />
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

/** Sums that the service has added up: groups of some lines would lack the others. */
function AllSums({ byKind }: { byKind: Record<string, string> }) {
  return (
    <>
      <Table label="Costs by kind" columns={SUMS} rows={sortSums(byKind)} keyOf={({ event_type }) => event_type} />
      <p className="muted small">
        These sums include every entry. Providers, models and quantities, and what has no price, appear once all entries
        are loaded.
      </p>
    </>
  );
}

const keyOf = ({ provider, event_type, model }: CostGroup) => JSON.stringify([provider, event_type, model]);
