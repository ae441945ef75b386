import { decimal } from '@switchboard/client';
import type { Bucket, Report, ReportChoice } from '../../data/costs.ts';
import { OTHERS } from '../../data/series.ts';
import { StackedAreas } from '../../ui/areas.tsx';
import { Bars } from '../../ui/bars.tsx';
import { Money } from '../../ui/money.tsx';
import { type ChartColumn, partOf } from '../../ui/stack.ts';
import { formatDay, formatMonth } from '../../ui/time.tsx';
import { nameOf, periodOf } from './groups.ts';
import { SPLIT_LABELS } from './report-choice.tsx';

/** Maximum number of distinguishable colors. */
const MAX_SERIES = 7;
const MAX_BARS = 12;
const MAX_COLUMNS = 400;

/** Costs by the first dimension: areas over the periods, or bars without periods; the smallest ones are combined. */
export function ReportPlot({ report: { groups, choice } }: { report: Report }) {
  const { bucket, splits } = choice;
  const [split] = splits;
  const nameIn = (group: Report['groups'][number]) => (split ? nameOf(group, split) : 'Costs');
  const sums = new Map<string, string>();
  for (const group of groups) {
    const name = nameIn(group);
    sums.set(name, decimal.add(sums.get(name) ?? '0', group.total_cost));
  }
  const own = largest(sums, bucket === 'none' ? MAX_BARS : MAX_SERIES);
  const shownAs = (name: string) => (own.includes(name) ? name : OTHERS);
  const label = split ? `Costs by ${SPLIT_LABELS[split].toLowerCase()}` : 'Costs';
  if (bucket === 'none') return <SumBars label={label} sums={merged(sums, shownAs)} />;
  const columns = new Map<string, ChartColumn>(periods(choice).map((day) => [day, { label: day, parts: {} }]));
  for (const group of groups) {
    const day = periodOf(group, bucket);
    const column = columns.get(day) ?? { label: day, parts: {} };
    columns.set(day, column);
    const name = shownAs(nameIn(group));
    column.parts[name] = decimal.add(partOf(column, name), group.total_cost);
  }
  return (
    <StackedAreas
      label={`${label} and ${bucket}; the table below has the same figures`}
      columns={[...columns.values()].sort((a, b) => a.label.localeCompare(b.label))}
      series={own.length < sums.size ? [...own, OTHERS] : own}
      formatLabel={bucket === 'month' ? formatMonth : formatDay}
    />
  );
}

/** The names with the largest sums, largest first: all, or as many as leave one place for the rest. */
function largest(sums: Map<string, string>, max: number): string[] {
  const names = [...sums].sort(([, a], [, b]) => decimal.compare(b, a)).map(([name]) => name);
  return names.slice(0, names.length > max + 1 ? max : names.length);
}

function merged(sums: Map<string, string>, shownAs: (name: string) => string): [string, string][] {
  const all = new Map<string, string>();
  for (const [name, sum] of sums) all.set(shownAs(name), decimal.add(all.get(shownAs(name)) ?? '0', sum));
  return [...all].sort(([, a], [, b]) => decimal.compare(b, a));
}

function SumBars({ label, sums }: { label: string; sums: [string, string][] }) {
  const bars = sums.map(([name, sum]) => ({
    label: name,
    count: Math.max(0, Number(sum)),
    shown: <Money amount={sum} />,
  }));
  return <Bars label={label} bars={bars} />;
}

const NEXT: Record<Exclude<Bucket, 'none'>, (date: Date) => void> = {
  day: (date) => date.setUTCDate(date.getUTCDate() + 1),
  week: (date) => date.setUTCDate(date.getUTCDate() + 7),
  month: (date) => date.setUTCMonth(date.getUTCMonth() + 1),
};

/** The first days of all periods in the range: periods without costs are zero. */
function periods({ bucket, from, to }: ReportChoice): string[] {
  const date = new Date(`${from}T00:00:00Z`);
  if (bucket === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (bucket === 'month') date.setUTCDate(1);
  const days: string[] = [];
  while (bucket !== 'none' && days.length < MAX_COLUMNS && date.toISOString().slice(0, 10) <= to) {
    days.push(date.toISOString().slice(0, 10));
    NEXT[bucket](date);
  }
  return days;
}
