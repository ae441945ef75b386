/** The start and length of a page. `after` is the key of the previous page's last item. */
export interface PageRequest {
  limit: number;
  after: string | null;
}

/** The key in a cursor that `toPage` has made. */
export const keyIn = (cursor: string): string => Buffer.from(cursor, 'base64url').toString('utf8');

/**
 * Makes a page of the rows that a store returned for one more than `limit`; `found` is their number if some were
 * dropped because of their size. The cursor is opaque to clients.
 */
export function toPage<T>(
  rows: T[],
  limit: number,
  keyOf: (row: T) => string,
  found = rows.length,
): { items: T[]; next_cursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: found > items.length && last ? Buffer.from(keyOf(last)).toString('base64url') : null };
}
