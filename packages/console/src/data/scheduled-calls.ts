import { type ScheduledCall, SwitchboardError } from '@switchboard/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { useSession } from './session.tsx';

/** How often a call is looked at that waits for its time. */
const EVERY_MS = 10_000;

/** A call that is placed later, or was to be; null if there is none with this id. */
export function useScheduledCall(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.scheduledCall(user, id),
    queryFn: async ({ signal }): Promise<ScheduledCall | null> => {
      // They are calls of one user.
      if (user === null) return null;
      try {
        return await api.scheduledCalls.get(id, { signal });
      } catch (error) {
        if (error instanceof SwitchboardError && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: ({ state }) => (state.data?.status === 'SCHEDULED' ? EVERY_MS : false),
  });
}

/** Calls that wait for their time, the next ones first: the newest hundred, and whether there are more. */
export function useScheduledCalls() {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.scheduledCalls(user),
    queryFn: async ({ signal }) => {
      const { items, next_cursor } = await api.scheduledCalls.list({ status: 'SCHEDULED', limit: 100 }, { signal });
      const calls = items.sort((one, other) => one.due_at.localeCompare(other.due_at));
      return { calls, hasMore: next_cursor !== null };
    },
    enabled: user !== null,
  });
}

export function useCancelScheduled(id: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation<unknown, SwitchboardError, undefined>({
    mutationFn: () => api.scheduledCalls.cancel(id),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.scheduledCalls(user) }),
  });
}
