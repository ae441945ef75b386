import { useQuery } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { utcDay } from './overview.ts';
import { useOneUser, useSession } from './session.tsx';
import { readSuccess, type Success, successBy } from './success.ts';

const DAYS = 7;

/** Calls and costs of an agent in the last seven days; an amount is a decimal. */
export interface AgentWeek {
  calls: number;
  /** Answered calls of all, from 0 to 1; null without calls. */
  answerRate: number | null;
  /** Null unless an extractor has judged calls. */
  success: Success | null;
  cost: string;
}

/** The last seven days of each agent of the user that had calls or costs. */
export function useAgentWeeks(mayReadAnalyses: boolean) {
  const { api } = useSession();
  const user = useOneUser();
  return useQuery({
    queryKey: keys.agentWeek(user),
    queryFn: async ({ signal }) => {
      const start_date = utcDay(DAYS - 1);
      const [calls, costs, judged] = await Promise.all([
        api.stats.calls({ start_date, group_by: 'agent' }, { signal }),
        api.costs.byAgent({ start_date }, { signal }),
        mayReadAnalyses ? readSuccess(api, { start_date, group_by: 'agent' }, signal) : [],
      ]);
      const successOf = successBy(judged, ({ agent_id }) => agent_id);
      const weeks = new Map<string, AgentWeek>();
      for (const { agent_id, total_cost } of costs)
        weeks.set(agent_id, { calls: 0, answerRate: null, success: null, cost: total_cost });
      for (const { agent_id, calls: count, answer_rate: answerRate } of calls.groups) {
        if (!agent_id) continue;
        const success = successOf.get(agent_id) ?? null;
        weeks.set(agent_id, { calls: count, answerRate, success, cost: weeks.get(agent_id)?.cost ?? '0' });
      }
      return weeks;
    },
    staleTime: 30_000,
  });
}
