import { decimal } from '@switchboard/client';
import type { Bucket, Report, ReportChoice } from '../../data/costs.ts';
import { type ChartColumn, StackedColumns } from '../../ui/chart.tsx';
import { useFormatMoney } from '../../ui/money.tsx';
import { nameOf, periodOf } from './groups.ts';

/** More colours could not be told apart. */
const MAX_SERIES = 5;
const OTHERS = 'Others';
const MAX_COLUMNS = 400;

/** The rows of a report as stacked columns: the largest groups, and the others as one. */
export function ReportPlot({ report, choice }: { report: Report; choice: ReportChoice }) {
  const format = useFormatMoney();
  const sums = new Map<string, string>();
  for (const group of report.groups) {
    const name = nameOf(group, choice.split);
    sums.set(name, decimal.add(sums.get(name) ?? '0', group.total_cost));
  }
  const names = [...sums].sort(([, a], [, b]) => decimal.compare(b, a)).map(([name]) => name);
  const own = names.slice(0, names.length > MAX_SERIES + 1 ? MAX_SERIES : names.length);
  const series = own.length < names.length ? [...own, OTHERS] : own;
  const columns = new Map<string, ChartColumn>(periods(choice).map((label) => [label, { label, parts: {} }]));
  for (const group of report.groups) {
    const label = periodOf(group, choice.bucket);
    const column = columns.get(label) ?? { label, parts: {} };
    columns.set(label, column);
    const name = own.includes(nameOf(group, choice.split)) ? nameOf(group, choice.split) : OTHERS;
    column.parts[name] = decimal.add(column.parts[name] ?? '0', group.total_cost);
  }
  const sorted = [...columns.values()].sort((a, b) => a.label.localeCompare(b.label));
  return (
    <StackedColumns
      label={`Costs by ${choice.bucket}; the table below has the same figures`}
      columns={sorted}
      series={series}
      format={format}
    />
  );
}

const NEXT: Record<Bucket, (date: Date) => void> = {
  day: (date) => date.setUTCDate(date.getUTCDate() + 1),
  week: (date) => date.setUTCDate(date.getUTCDate() + 7),
  month: (date) => date.setUTCMonth(date.getUTCMonth() + 1),
};

/** The first days of all periods in the range: those without costs are empty columns. */
function periods({ bucket, from, to }: ReportChoice): string[] {
  const date = new Date(`${from}T00:00:00Z`);
  if (bucket === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (bucket === 'month') date.setUTCDate(1);
  const days: string[] = [];
  while (days.length < MAX_COLUMNS && date.toISOString().slice(0, 10) <= to) {
    days.push(date.toISOString().slice(0, 10));
    NEXT[bucket](date);
  }
  return days;
}
