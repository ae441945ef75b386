/** Where a page begins and how long it is. `after` is the key of the last item of the page before. */
export interface PageRequest {
  limit: number;
  after: string | null;
}

/**
 * Makes a page of the rows a store found when asked for one more than `limit`; `found` is how many there were, where
 * some were left out because of their size. The cursor is opaque to clients.
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
