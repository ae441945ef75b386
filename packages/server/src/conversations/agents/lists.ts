import type { Db } from '../../db/tables.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { listAgents, listFewAgents, listNumbered, listUsers } from './store.ts';

/** Lists of agents, and of users that have any. */
export function createAgentLists(db: Db) {
  return {
    /** All of a user's agents, newest first; null where they are so many or so large that they are read in parts. */
    list: (user_id: string) => listFewAgents(db, user_id),
    /** Some of them, after the one with the id `after`. */
    listPart: async (user_id: string, after: string | null) => {
      const items = await listAgents(db, user_id, after);
      const last = items.at(-1);
      return { items, next: last && last.found > items.length ? last.id : null };
    },
    /** Those that have phone numbers. */
    numbered: (user_id: string) => listNumbered(db, user_id),
    /** Users that have agents, filtered by prefix. */
    users: async (prefix: string, { limit, after }: PageRequest) => {
      const found = await listUsers(db, prefix, after, limit);
      const users = found.map((user_id) => ({ user_id }));
      return toPage(users, limit, ({ user_id }) => user_id);
    },
  };
}
