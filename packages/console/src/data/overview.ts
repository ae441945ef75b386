import { decimal, type PeriodCost, type Switchboard } from '@switchboard/client';
import { useQuery } from '@tanstack/react-query';
import { useSession } from './session.tsx';

export const DAYS = 30;
const DAY_MS = 86_400_000;

/** A day in UTC, in the format of reports; `back` days before today. */
export function utcDay(back = 0): string {
  return new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
}

/** Figures of the calls of the last 30 days, today’s separately, and the end reasons. */
export function useCallStats() {
  const { api, user } = useSession();
  return useQuery({
    queryKey: [user, 'stats', 'calls'],
    queryFn: async ({ signal }) => {
      const start_date = utcDay(DAYS - 1);
      const [month, today] = await Promise.all([
        api.stats.calls({ start_date, group_by: 'end_reason' }, { signal }),
        api.stats.calls({ start_date: utcDay() }, { signal }),
      ]);
      const reasons = month.groups.map(({ end_reason, calls }) => ({ reason: end_reason ?? null, calls }));
      return { month: month.total, today: today.total, reasons: reasons.sort((a, b) => b.calls - a.calls) };
    },
  });
}

/** Costs of the last 30 days, by day and provider. */
export function useCostTimeline() {
  const { api, user } = useSession();
  return useQuery({
    queryKey: [user, 'costs', 'timeline'],
    queryFn: ({ signal }): Promise<PeriodCost[]> => {
      const start_date = utcDay(DAYS - 1);
      return user === null
        ? timelineOfAll(api, start_date, signal)
        : api.costs.timeline({ period: 'daily', start_date }, { signal });
    },
  });
}

/** The same for all users, from the report: the timeline covers only one user. */
async function timelineOfAll(api: Switchboard, start_date: string, signal: AbortSignal): Promise<PeriodCost[]> {
  const days = new Map<string, PeriodCost>();
  for await (const group of api.costs.report({ group_by: 'day,provider', start_date, limit: 100 }, { signal })) {
    const { day: date = '', provider = '', total_cost, events, unpriced_events } = group;
    // As in the timeline, providers with only unpriced usage are omitted.
    if (events === unpriced_events) continue;
    const day = days.get(date) ?? { date, total_cost: '0', by_provider: {} };
    days.set(date, {
      date,
      total_cost: decimal.add(day.total_cost, total_cost),
      by_provider: { ...day.by_provider, [provider]: total_cost },
    });
  }
  return [...days.values()];
}

/** Callbacks that are no longer retried: the first page of them. */
export function useFailedCallbacks() {
  const { api, user } = useSession();
  return useQuery({
    queryKey: [user, 'callbacks', 'failed-count'],
    queryFn: ({ signal }) => api.callbacks.list({ status: 'failed', limit: 100 }, { signal }).then((page) => page),
  });
}
