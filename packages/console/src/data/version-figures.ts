import type { Latency } from '@switchboard/client';
import { useQuery } from '@tanstack/react-query';
import { costAMinute, talkSeconds } from './call-figures.ts';
import { keys } from './keys.ts';
import { utcDay } from './overview.ts';
import { useSession } from './session.tsx';
import { ofOneExtractor, readSuccess, type Success, successBy } from './success.ts';

/** Days of calls whose figures are shown beside a version. */
export const FIGURES_DAYS = 30;

/** The calls that a version of an agent has had. */
export interface VersionFigures {
  calls: number;
  /** Answered calls of all, from 0 to 1; null without calls. */
  answerRate: number | null;
  /** Null unless an extractor has judged calls. */
  success: Success | null;
  /** Costs of a minute of talk time, a decimal; null before the first answered call. */
  costAMinute: string | null;
  /** From the end of the caller's speech to the first sound; null before the first turn. */
  latency: Latency | null;
}

/** Figures of each version of an agent that had calls in the last days, by its number. */
export function useVersionFigures(agent_id: string, mayReadAnalyses: boolean) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.versionFigures(user, agent_id),
    queryFn: async ({ signal }) => {
      const query = { agent_id, group_by: 'agent_version' as const, start_date: utcDay(FIGURES_DAYS - 1) };
      const [calls, latency, costs, judged] = await Promise.all([
        api.stats.calls(query, { signal }),
        api.stats.latency(query, { signal }),
        api.costs.report({ ...query, limit: 100 }, { signal }).toArray(),
        mayReadAnalyses ? readSuccess(api, query, signal) : [],
      ]);
      const costOf = new Map(costs.map(({ agent_version, total_cost }) => [agent_version, total_cost]));
      const latencyOf = new Map(latency.groups.map(({ agent_version, first_audio }) => [agent_version, first_audio]));
      const successOf = successBy(ofOneExtractor(judged), ({ agent_version }) => agent_version);
      return new Map<number, VersionFigures>(
        calls.groups.flatMap(({ agent_version, ...group }) => {
          if (agent_version == null) return [];
          const figures = {
            calls: group.calls,
            answerRate: group.answer_rate,
            success: successOf.get(agent_version) ?? null,
            costAMinute: costAMinute(costOf.get(agent_version) ?? '0', talkSeconds(group)),
            latency: latencyOf.get(agent_version) ?? null,
          };
          return [[agent_version, figures]];
        }),
      );
    },
    staleTime: 30_000,
  });
}
