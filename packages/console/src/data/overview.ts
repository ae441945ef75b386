import { decimal, type PeriodCost, type Switchboard } from '@switchboard/client';
import { useQuery } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { useSession } from './session.tsx';

/** Periods of the overview, in days. */
export const PERIODS = [7, 30, 90] as const;
export const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;

/** A day in UTC, in the format of reports; `back` days before today. */
export function utcDay(back = 0): string {
  return new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
}

/** Figures of the calls of the last days, today’s separately, the end reasons, and the calls of each day. */
export function useCallStats(days: number) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.callStats(user, days),
    queryFn: async ({ signal }) => {
      const start_date = utcDay(days - 1);
      const [period, byDay, today] = await Promise.all([
        api.stats.calls({ start_date, group_by: 'end_reason' }, { signal }),
        api.stats.calls({ start_date, group_by: 'day' }, { signal }),
        api.stats.calls({ start_date: utcDay() }, { signal }),
      ]);
      const reasons = period.groups.map(({ end_reason, calls }) => ({ reason: end_reason ?? null, calls }));
      reasons.sort((a, b) => b.calls - a.calls);
      return { period: period.total, today: today.total, reasons, byDay: byDay.groups };
    },
    placeholderData: (before) => before,
  });
}

/**
 * Time from the end of the caller's speech to the first sound of the answer; null before the first turn. The service
 * has it for one user, not for all together.
 */
export function useLatency(days: number) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.latency(user, days),
    queryFn: ({ signal }) =>
      api.stats.latency({ start_date: utcDay(days - 1) }, { signal }).then(({ total }) => total.first_audio),
    enabled: user !== null,
    placeholderData: (before) => before,
  });
}

/** Costs of the last days, by day and provider. */
export function useCostTimeline(days: number) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.costTimeline(user, days),
    queryFn: ({ signal }): Promise<PeriodCost[]> => {
      const start_date = utcDay(days - 1);
      return user === null
        ? timelineOfAll(api, start_date, signal)
        : api.costs.timeline({ period: 'daily', start_date }, { signal });
    },
    placeholderData: (before) => before,
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

/** Callbacks whose last attempt failed, whether or not they are attempted again: the first page of them. */
export function useFailingCallbacks() {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.failingCallbacks(user),
    queryFn: ({ signal }) => api.callbacks.list({ is_failing: true, limit: 100 }, { signal }).then((page) => page),
  });
}
