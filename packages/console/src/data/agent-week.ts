import { useQuery } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { utcDay } from './overview.ts';
import { useOneUser, useSession } from './session.tsx';

const DAYS = 7;

/** Calls and costs of an agent in the last seven days; an amount is a decimal. */
export interface AgentWeek {
  calls: number;
  /** Answered calls of all, from 0 to 1; null without calls. */
  answerRate: number | null;
  cost: string;
}

/** The last seven days of each agent of the user that had calls or costs. */
export function useAgentWeeks() {
  const { api } = useSession();
  const user = useOneUser();
  return useQuery({
    queryKey: keys.agentWeek(user),
    queryFn: async ({ signal }) => {
      const start_date = utcDay(DAYS - 1);
      const [calls, costs] = await Promise.all([
        api.stats.calls({ start_date, group_by: 'agent' }, { signal }),
        api.costs.byAgent({ start_date }, { signal }),
      ]);
      const weeks = new Map<string, AgentWeek>();
      for (const { agent_id, total_cost } of costs)
        weeks.set(agent_id, { calls: 0, answerRate: null, cost: total_cost });
      for (const { agent_id, calls: count, answer_rate: answerRate } of calls.groups)
        if (agent_id) weeks.set(agent_id, { calls: count, answerRate, cost: weeks.get(agent_id)?.cost ?? '0' });
      return weeks;
    },
    staleTime: 30_000,
  });
}
