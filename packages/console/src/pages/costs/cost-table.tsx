import type { CostGroup } from '@switchboard/client';
import type { Bucket, Report, Split } from '../../data/costs.ts';
import { Money } from '../../ui/money.tsx';
import { useIsNarrow } from '../../ui/narrow.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { idOf, nameOf, periodOf } from './groups.ts';
import { SPLIT_LABELS } from './report-choice.tsx';

const PERIODS: Record<Exclude<Bucket, 'none'>, string> = { day: 'Day', week: 'Week of', month: 'Month of' };

const FIGURES: Column<CostGroup>[] = [
  { title: 'Quantity', cell: ({ quantity }) => quantity ?? '–', isNumber: true, isMinor: true },
  { title: 'Entries', cell: ({ events }) => events, isNumber: true, isMinor: true },
  {
    title: 'Without a price',
    cell: ({ unpriced_events: count }) => (count > 0 ? <span className="problem">{count}</span> : '–'),
    isNumber: true,
    isMinor: true,
  },
  { title: 'Cost', cell: (group) => <Cost group={group} />, isNumber: true },
];

/** The rows of a report, with all dimensions that they are grouped by. */
export function CostTable({ report: { groups, choice } }: { report: Report }) {
  const { bucket, splits } = choice;
  const isNarrow = useIsNarrow();
  const period = bucket === 'none' ? [] : [periodColumn(bucket)];
  const columns = [
    ...period,
    ...splits.map((split, place) => splitColumn(split, splits.slice(1), place, isNarrow)),
    ...FIGURES,
  ];
  const keyOf = (group: CostGroup) =>
    [periodOf(group, bucket), ...splits.map((split) => idOf(group, split) ?? '')].join('\n');
  return <Table label="Costs" isDense columns={columns} rows={groups} keyOf={keyOf} />;
}

function periodColumn(bucket: Exclude<Bucket, 'none'>): Column<CostGroup> {
  return { title: PERIODS[bucket], cell: (group) => <span className="number nowrap">{periodOf(group, bucket)}</span> };
}

/** On narrow screens all dimensions except the first are below it. */
function splitColumn(split: Split, others: Split[], place: number, isNarrow: boolean): Column<CostGroup> {
  return {
    title: SPLIT_LABELS[split],
    isMinor: place > 0,
    isText: isNarrow,
    cell: (group) => (
      <>
        <Name group={group} split={split} />
        {place === 0 &&
          others.map((other) => (
            <span key={other} className="narrow-only muted small">
              <Name group={group} split={other} />
            </span>
          ))}
      </>
    ),
  };
}

function Name({ group, split }: { group: CostGroup; split: Split }) {
  return (
    <span className="clip-line" title={idOf(group, split) ?? undefined}>
      {nameOf(group, split)}
    </span>
  );
}

function Cost({ group: { total_cost, unpriced_events: count } }: { group: CostGroup }) {
  return (
    <>
      <Money amount={total_cost} exact />
      {count > 0 && <span className="narrow-only problem small nowrap">{count} unpriced</span>}
    </>
  );
}
