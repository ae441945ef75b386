import type { UserPrivacy, UserUpdate } from '@switchboard/client';
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

/** The legal hold of a user and what is not kept of its conversations, and what changes them. */
export function useUserSettings(id: string) {
  const { api } = useSession();
  const queries = useQueryClient();
  const queryKey = keys.userSettings(id);
  const settings = useQuery({ queryKey, queryFn: ({ signal }) => api.users.get(id, { signal }) });
  const change = useMutation({
    mutationFn: (update: UserUpdate) => api.users.update(id, update),
    onSuccess: (changed) => queries.setQueryData(queryKey, changed),
  });
  return { settings, change };
}

/** Changes the privacy rules of a user as they are by then: what others have changed meanwhile stays. */
export function useChangePrivacy(id: string) {
  const { api } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (edit: (rules: UserPrivacy) => UserPrivacy) => {
      const rules = edit((await api.users.get(id)).privacy ?? {});
      const { redact = [], custom = [], keep = {} } = rules;
      const isEmpty = redact.length + custom.length + Object.keys(keep).length === 0;
      return api.users.update(id, { privacy: isEmpty ? null : rules });
    },
    onSuccess: (changed) => queries.setQueryData(keys.userSettings(id), changed),
  });
}

/**
 * Whether requests can name a user. They do so in a header, which cannot carry control characters, or spaces at
 * either end.
 */
export function canBeNamed(id: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is about these characters.
  return id !== '' && !/^[\t ]|[\t ]$|[\x00-\x1f\x7f]/.test(id);
}
