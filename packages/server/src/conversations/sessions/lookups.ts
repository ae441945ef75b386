import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { createBatcher } from '../../lib/batcher.ts';
import type { JsonObject } from '../../lib/json.ts';
import { findSessionData, SESSION_COLUMNS, type Session, type ShownSession } from './store.ts';

/** Several concurrent batches, so that a dead connection only delays the requests on it. */
const LIMITS = { batch_size: 500, queue_depth: 10_000, concurrency: 2 };
/** Larger data is read in a query of its own, so that one user's does not delay the others. */
const SMALL_BYTES = 4096;

type Key = 'id' | 'room_name';

type Found = Session & { agent_name: string | null; session_data: JsonObject | null };

/** Finds one session, batched with concurrent lookups; undefined if there is none. */
export function createLookups(db: Db) {
  const batched = <T>(find: (names: string[]) => Promise<(T | undefined)[]>) =>
    createBatcher<string, T | undefined>({ runBatch: find, limits: LIMITS });
  const shownById = batched((ids) => findEach(ids, 'id', (unique) => findShown(db, 'id', unique)));
  const shownByRoom = batched((rooms) => findEach(rooms, 'room_name', (unique) => findShown(db, 'room_name', unique)));

  async function whole(found: Found | undefined): Promise<ShownSession | undefined> {
    return found && { ...found, session_data: found.session_data ?? (await findSessionData(db, found.id)) };
  }

  return {
    byId: batched((ids) => findEach(ids, 'id', (unique) => find(db, 'id', unique))),
    byRoom: batched((rooms) => findEach(rooms, 'room_name', (unique) => find(db, 'room_name', unique))),
    /** The same with the columns that are shown. */
    shownById: async (id: string) => whole(await shownById(id)),
    shownByRoom: async (room_name: string) => whole(await shownByRoom(room_name)),
  };
}

async function find(db: Db, column: Key, names: string[]) {
  const { rows } = await sql<Session>`
    -- prepared: find_sessions_by_${sql.raw(column)}
    select ${SESSION_COLUMNS} from sessions where ${isAny(column, names)}`.execute(db);
  return rows;
}

// Joins the agents' names: a second lookup would cost as much as the first.
async function findShown(db: Db, column: Key, names: string[]) {
  const { rows } = await sql<Found>`
    -- prepared: find_shown_sessions_by_${sql.raw(column)}
    select ${SESSION_COLUMNS}, agents.name as agent_name,
      case when session_data_bytes <= ${sql.lit(SMALL_BYTES)} then session_data end as session_data
    from sessions left join agents on agents.id = sessions.agent_id and agents.deleted_at is null
    where ${isAny(column, names)}`.execute(db);
  return rows;
}

const isAny = (column: Key, names: string[]) =>
  sql`sessions.${sql.raw(column)} = any(${names}::${sql.raw(column === 'id' ? 'uuid' : 'text')}[])`;

async function findEach<T extends Session>(
  names: string[],
  column: Key,
  find: (names: string[]) => Promise<T[]>,
): Promise<(T | undefined)[]> {
  const found = new Map((await find([...new Set(names)])).map((session) => [session[column], session]));
  return names.map((name) => found.get(name));
}
