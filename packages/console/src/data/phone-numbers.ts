import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { inPages } from './pages.ts';
import { useSession } from './session.tsx';

/** Numbers of the carrier account, in pages. */
export function usePhoneNumbers() {
  const { api, user } = useSession();
  return useInfiniteQuery(
    inPages(keys.numbers(user), (at, options) => api.numbers.list({ limit: 50, ...at }, options)),
  );
}

/** Assigns a number to an agent. */
export function useAssignNumber(phoneNumber: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (agentId: string) => api.numbers.assign({ agent_id: agentId, phone_number: phoneNumber }),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.all(user) }),
  });
}

/** Releases the number of an agent. */
export function useReleaseNumber(agentId: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.numbers.release({ agent_id: agentId }),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.all(user) }),
  });
}
