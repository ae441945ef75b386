import type { Db } from '../../db/tables.ts';
import { isId } from '../../lib/ids.ts';
import { textProblem } from '../../lib/json.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { owned } from '../../lib/principal.ts';
import type { Agents } from '../agents/agents.ts';
import type { createLookups } from './lookups.ts';
import { listCalls, listOpenOf, listSessions, type SessionFilter, type ShownSession } from './store.ts';

interface Deps {
  db: Db;
  agents: Agents;
  lookups: ReturnType<typeof createLookups>;
}

/** Sessions as they are shown. Code that only works with a session reads it without its data. */
export function createViews({ db, agents, lookups }: Deps) {
  /** Throws `not_found` for an id that is unknown, malformed or another user's. */
  async function show(id: string, caller: string | null): Promise<ShownSession> {
    return owned(isId(id) ? await lookups.shownById(id.toLowerCase()) : undefined, caller);
  }

  /** The same with only what its status says. */
  async function state(id: string, caller: string | null) {
    return owned(isId(id) ? await lookups.stateById(id.toLowerCase()) : undefined, caller);
  }

  async function showByRoom(room_name: string, caller: string | null): Promise<ShownSession> {
    return owned(textProblem(room_name) ? undefined : await lookups.shownByRoom(room_name), caller);
  }

  async function list(filter: SessionFilter, page: PageRequest) {
    const rows = mayFind(filter) ? await listSessions(db, filter, page) : [];
    const names = await agents.names([...new Set(rows.flatMap((row) => row.agent_id ?? []))]);
    // Not a copy, which would read data that may be refused to whoever shows it.
    const shown = rows.map((row) => Object.assign(row, { agent_name: names.get(row.agent_id ?? '') ?? null }));
    return toPage<ShownSession>(shown, page.limit, (row) => row.id, rows[0]?.found);
  }

  return {
    show,
    state,
    showByRoom,
    list,
    listOpenOf: (user_id: string, page: PageRequest) => listOpenOf(db, user_id, page),
    listCalls: async (filter: SessionFilter, page: PageRequest) =>
      toPage(mayFind(filter) ? await listCalls(db, filter, page) : [], page.limit, (row) => row.id),
  };
}

/** Whether the agent in the filter can have sessions. */
function mayFind({ agent_id }: SessionFilter): boolean {
  return agent_id === undefined || isId(agent_id);
}
