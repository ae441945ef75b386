import { useInfiniteQuery } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { useSession } from './session.tsx';

/** Users that have agents, by the prefix of their ids, in pages. */
export function useUsers(prefix: string, isShown: boolean) {
  const { api } = useSession();
  return useInfiniteQuery({
    queryKey: keys.users(prefix),
    queryFn: ({ pageParam, signal }) =>
      api.users
        .list({ limit: 20, ...(prefix && { prefix }), ...(pageParam && { cursor: pageParam }) }, { signal })
        .then((page) => page),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    enabled: isShown,
    placeholderData: (before) => before,
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
