import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { createLookup } from '../../lib/batcher.ts';
import type { JsonObject } from '../../lib/json.ts';
import { findSessionData, SESSION_COLUMNS, type Session, type ShownSession } from './store.ts';

/** Larger data is read in a query of its own, so that one user's does not delay the others. */
const SMALL_BYTES = 4096;

type Key = 'id' | 'room_name';

/** Sessions with any of these values in the column. */
type Query<T> = (column: Key, names: string[]) => RawBuilder<T>;

/** Columns of the status of a call, which clients ask for again and again: parsing all of a row costs them time. */
const STATE_COLUMNS = [
  'id',
  'user_id',
  'status',
  'room_name',
  'call_status',
  'call_direction',
  'outbound_phone_number',
  'started_at',
  'ended_at',
  'duration',
] as const;
type SessionState = Pick<Session, (typeof STATE_COLUMNS)[number]>;

type Found = Session & { agent_name: string | null; session_data: JsonObject | null };

/** Finds one session, batched with concurrent lookups; undefined if there is none. */
export function createLookups(db: Db) {
  const batched = <T extends Pick<Session, Key>>(column: Key, query: Query<T>) =>
    createLookup(
      async (names) => (await query(column, names).execute(db)).rows,
      (session) => session[column],
    );
  const shownById = batched('id', shownWhere);
  const shownByRoom = batched('room_name', shownWhere);

  async function whole(found: Found | undefined): Promise<ShownSession | undefined> {
    return found && { ...found, session_data: found.session_data ?? (await findSessionData(db, found.id)) };
  }

  return {
    byId: batched('id', where),
    byRoom: batched('room_name', where),
    stateById: batched('id', stateWhere),
    /** The same with the columns that are shown. */
    shownById: async (id: string) => whole(await shownById(id)),
    shownByRoom: async (room_name: string) => whole(await shownByRoom(room_name)),
  };
}

const where: Query<Session> = (column, names) => sql`
  -- prepared: find_sessions_by_${sql.raw(column)}
  select ${SESSION_COLUMNS} from sessions where ${isAny(column, names)}`;

const stateWhere: Query<SessionState> = (column, names) => sql`
  -- prepared: find_states_by_${sql.raw(column)}
  select ${sql.raw(STATE_COLUMNS.join())} from sessions where ${isAny(column, names)}`;

// Joins the agents' names: a second lookup would cost as much as the first.
const shownWhere: Query<Found> = (column, names) => sql`
  -- prepared: find_shown_sessions_by_${sql.raw(column)}
  select ${SESSION_COLUMNS}, agents.name as agent_name,
    case when session_data_bytes <= ${sql.lit(SMALL_BYTES)} then session_data end as session_data
  from sessions left join agents on agents.id = sessions.agent_id and agents.deleted_at is null
  where ${isAny(column, names)}`;

const isAny = (column: Key, names: string[]) =>
  sql`sessions.${sql.raw(column)} = any(${names}::${sql.raw(column === 'id' ? 'uuid' : 'text')}[])`;
