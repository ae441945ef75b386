import type { CostGroup } from '@switchboard/client';
import type { Report, ReportChoice } from '../../data/costs.ts';
import { Money } from '../../ui/money.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { idOf, nameOf, periodOf } from './groups.ts';
import { SPLIT_LABELS } from './report-choice.tsx';

const PERIODS = { day: 'Day', week: 'Week of', month: 'Month of' };

/** The rows of a report, as they are plotted. */
export function CostTable({ report, choice: { bucket, split } }: { report: Report; choice: ReportChoice }) {
  const columns: Column<CostGroup>[] = [
    { title: PERIODS[bucket], cell: (group) => <span className="number nowrap">{periodOf(group, bucket)}</span> },
    { title: SPLIT_LABELS[split], cell: (group) => <span className="clip-line">{nameOf(group, split)}</span> },
    { title: 'Quantity', cell: ({ quantity }) => quantity ?? '–', isNumber: true, isMinor: true },
    { title: 'Entries', cell: ({ events }) => events, isNumber: true, isMinor: true },
    {
      title: 'Without a price',
      cell: ({ unpriced_events: count }) => (count > 0 ? <span className="problem">{count}</span> : '–'),
      isNumber: true,
      isMinor: true,
    },
    {
      title: 'Cost',
      cell: ({ total_cost }) => <Money amount={total_cost} exact />,
      isNumber: true,
    },
  ];
  const keyOf = (group: CostGroup) => `${periodOf(group, bucket)}\n${idOf(group, split) ?? ''}`;
  return <Table label="Costs" columns={columns} rows={report.groups} keyOf={keyOf} />;
}
