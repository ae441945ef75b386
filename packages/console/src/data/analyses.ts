import type { Analysis, AnalysisBackfill, AnalysisBackfillCreate, CallDetail } from '@switchboard/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { inPages } from './pages.ts';
import { useSession } from './session.tsx';

/** Time after which what is in progress is looked at again, in milliseconds. */
const AGAIN_MS = 2_000;
/** A call that has just ended is analysed soon, if its agent names extractors: for so long its page looks for it. */
const SOON_MS = 30_000;

export const isOpen = ({ state }: Pick<Analysis, 'state'>) => state === 'queued' || state === 'running';

/**
 * The analyses of a call, followed until all have ended, or they cannot be read; those of a call that has just ended
 * are awaited.
 */
export function useAnalyses({ call_id, ended_at }: Pick<CallDetail, 'call_id' | 'ended_at'>) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.callAnalyses(user, call_id),
    queryFn: ({ signal }) => api.analyses.list(call_id, { signal }).then(({ analyses }) => analyses),
    refetchInterval: ({ state: { data = [], error } }) => {
      if (error) return false;
      const isAwaited = data.length === 0 && ended_at !== null && Date.now() - Date.parse(ended_at) < SOON_MS;
      return isAwaited || data.some(isOpen) ? AGAIN_MS : false;
    },
  });
}

/** Has a call analysed by these extractors, also again. */
export function useAnalyse(call_id: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (extractors: string[]) => api.analyses.request(call_id, { extractors }),
    onSuccess: ({ analyses }) => queries.setQueryData(keys.callAnalyses(user, call_id), analyses),
  });
}

/** The subject of statistics of analyses. Days as `2026-01-15` (UTC). */
export interface StatsChoice {
  field: string;
  extractor: string;
  agent_id: string;
  from: string;
  to: string;
}

/** Calls by the value of a field, and the version of the agent or the day. */
export function useAnalysisStats({ field, extractor, agent_id, from, to }: StatsChoice, by: 'version' | 'day') {
  const { api, user } = useSession();
  const query = {
    field,
    extractor,
    ...(agent_id && { agent_id }),
    ...(from && { start_date: from }),
    ...(to && { end_date: to }),
    group_by: by === 'day' ? 'day,value' : 'agent,agent_version,value',
  };
  return useQuery({
    queryKey: keys.analysisStats(user, query),
    queryFn: ({ signal }) => api.stats.analyses(query, { signal }).then(({ groups }) => groups),
    placeholderData: (before) => before,
    enabled: field !== '',
  });
}

/** How many earlier calls there are, and what their analysis would cost. */
export function useBackfillEstimate(wanted: AnalysisBackfillCreate | null) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.backfillEstimate(user, wanted ?? {}),
    queryFn: ({ signal }) =>
      api.analyses.backfill({ ...(wanted as AnalysisBackfillCreate), estimate: true }, { signal }),
    enabled: wanted !== null,
  });
}

/** The backfills of the user, newest first, looked at again while one is in progress. */
export function useBackfills() {
  const { api, user } = useSession();
  return useInfiniteQuery({
    ...inPages(keys.backfills(user), (at, options) => api.analyses.listBackfills({ limit: 20, ...at }, options)),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isUnfinished)) ? AGAIN_MS : false,
  });
}

/** Whether figures of a backfill still change: a canceled one completes what it has begun. */
const isUnfinished = ({ state, queued, done, failed }: AnalysisBackfill) =>
  isInProgress({ state }) || (state === 'canceled' && done + failed < queued);

/** Whether it goes on by itself. */
export const isInProgress = ({ state }: Pick<AnalysisBackfill, 'state'>) =>
  state === 'running' || state === 'out_of_budget';

/** Starts and cancels backfills. */
export function useBackfillActions() {
  const { api, user } = useSession();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.backfills(user) });
  return {
    start: useMutation({
      mutationFn: (wanted: AnalysisBackfillCreate) => api.analyses.backfill({ ...wanted, estimate: false }),
      onSettled,
    }),
    cancel: useMutation({ mutationFn: (id: string) => api.analyses.cancelBackfill(id), onSettled }),
  };
}
