import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { inPages } from './pages.ts';
import { useSession } from './session.tsx';

/** Users that have agents, by the prefix of their ids, in pages. */
export function useUsers(prefix: string, isShown: boolean) {
  const { api } = useSession();
  return useInfiniteQuery({
    ...inPages(keys.users(prefix), (at, options) =>
      api.users.list({ limit: 20, ...(prefix && { prefix }), ...at }, options),
    ),
    enabled: isShown,
    placeholderData: (before) => before,
  });
}

/** Whether a user is under a legal hold, and what sets or lifts it. */
export function useLegalHold(id: string) {
  const { api } = useSession();
  const queries = useQueryClient();
  const queryKey = keys.legalHold(id);
  const hold = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.users.get(id, { signal })).legal_hold,
  });
  const change = useMutation({
    mutationFn: (legal_hold: boolean) => api.users.update(id, { legal_hold }),
    onSuccess: ({ legal_hold }) => queries.setQueryData(queryKey, legal_hold),
  });
  return { hold, change };
}

/**
 * Whether requests can name a user. They do so in a header, which cannot carry control characters, or spaces at
 * either end.
 */
export function canBeNamed(id: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is about these characters.
  return id !== '' && !/^[\t ]|[\t ]$|[\x00-\x1f\x7f]/.test(id);
}
