import type { CallStats } from '@switchboard/client';
import { utcDay } from '../../data/overview.ts';
import { StackedAreas } from '../../ui/areas.tsx';
import { Section } from '../../ui/page.tsx';
import { formatDay } from '../../ui/time.tsx';

/** Calls of each day, answered or not. */
export function CallPlot({ days, byDay }: { days: number; byDay: CallStats['groups'] }) {
  const found = new Map(byDay.map((group) => [group.day, group]));
  const columns = Array.from({ length: days }, (_, index) => {
    const day = utcDay(days - 1 - index);
    const { calls = 0, answered = 0 } = found.get(day) ?? {};
    return { label: day, parts: { answered: String(answered), 'not answered': String(calls - answered) } };
  });
  return (
    <Section title="Calls a day">
      {byDay.length === 0 ? (
        <p className="muted">No call has ended yet.</p>
      ) : (
        <StackedAreas
          label="Calls by day"
          columns={columns}
          series={['answered', 'not answered']}
          formatLabel={formatDay}
          isCount
        />
      )}
    </Section>
  );
}
