import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';

interface Page {
  next_cursor: string | null;
}

/** The place of a page in its list: behind a cursor, or at the beginning. */
type Place = { cursor?: string };

/** A query for a list in pages; `read` asks for one of them. */
export function inPages<P extends Page>(
  queryKey: QueryKey,
  read: (at: Place, options: { signal: AbortSignal }) => PromiseLike<P>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }) => await read(pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: (page: P) => page.next_cursor,
  });
}
