import { type StatsChoice, useAnalysisStats } from '../../data/analyses.ts';
import { columnText, daysOf } from '../../data/analysis-words.ts';
import { utcDay } from '../../data/overview.ts';
import { StackedAreas } from '../../ui/areas.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { formatDay } from '../../ui/time.tsx';

/** Calls of each day by the value of a choice. */
export function ResultDays({ choice }: { choice: StatsChoice }) {
  const { data, isPending, error, refetch } = useAnalysisStats(choice, 'day');
  if (isPending) return <Skeleton />;
  if (!data) return <Failure error={error} onRetry={refetch} />;
  const { series, days, columns } = daysOf(data, choice.from, choice.to || utcDay(0));
  if (series.length === 0 || columns.length < 2) return null;
  const wordOf = (value: string) => columnText(choice.field, value) ?? value;
  return (
    <Section title="By day">
      {error && <Failure error={error} onRetry={refetch} />}
      <StackedAreas
        label="Calls by day and answer"
        columns={columns.map((label) => ({
          label,
          parts: Object.fromEntries(series.map((value) => [wordOf(value), String(days.get(label)?.[value] ?? 0)])),
        }))}
        series={series.map(wordOf)}
        formatLabel={formatDay}
        isCount
      />
    </Section>
  );
}
