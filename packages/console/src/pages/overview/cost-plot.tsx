import { Link } from 'wouter';
import { useCostTimeline, utcDay } from '../../data/overview.ts';
import { StackedAreas } from '../../ui/areas.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { formatDay } from '../../ui/time.tsx';

/** Minimum number of days in the plot: otherwise the costs of a new service would be a line at the edge. */
const MIN_DAYS = 7;

/** Costs by day and provider, from the first day with costs; later days without costs are zero. */
export function CostPlot({ days: count }: { days: number }) {
  const costs = useCostTimeline(count);
  const byDay = new Map(costs.data?.map(({ date, by_provider }) => [date, by_provider]));
  const days = Array.from({ length: count }, (_, index) => utcDay(count - 1 - index));
  const first = days.findIndex((day) => byDay.has(day));
  const columns = days
    .slice(Math.min(Math.max(0, first), count - MIN_DAYS))
    .map((day) => ({ label: day, parts: byDay.get(day) ?? {} }));
  const series = [...new Set(costs.data?.flatMap(({ by_provider }) => Object.keys(by_provider)))].sort();
  return (
    <Section title="Cost by provider" actions={<Link to="/costs">All costs</Link>}>
      {costs.isPending && <Skeleton />}
      {costs.error && <Failure error={costs.error} onRetry={costs.refetch} />}
      {costs.data?.length === 0 && <p className="muted">No usage yet.</p>}
      {costs.data && costs.data.length > 0 && (
        <StackedAreas label="Cost by day and provider" columns={columns} series={series} formatLabel={formatDay} />
      )}
    </Section>
  );
}
