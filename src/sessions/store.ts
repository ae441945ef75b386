import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { CallDirection, Db, SessionStatus, Tables } from '../db/tables.ts';
import type { PageRequest } from '../lib/page.ts';

export type Session = Selectable<Tables['sessions']>;
export type NewSession = Insertable<Tables['sessions']>;
export type SessionEvent = Selectable<Tables['session_events']>;

export interface SessionFilter {
  user_id?: string | undefined;
  status?: SessionStatus | undefined;
  call_direction?: CallDirection | undefined;
  agent_id?: string | undefined;
  /** Created at or after. */
  from?: Date | undefined;
  /** Created before. */
  to?: Date | undefined;
  /** Phone calls only. */
  calls?: boolean | undefined;
}

/** Inserts the session unless its room has one already; undefined then. */
export function insertSession(db: Db, session: NewSession): Promise<Session | undefined> {
  return db
    .insertInto('sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('room_name').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function findSession(db: Db, id: string): Promise<Session | undefined> {
  return db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findSessions(db: Db, ids: string[]): Promise<Session[]> {
  return (await sql<Session>`select * from sessions where id = any(${ids}::uuid[])`.execute(db)).rows;
}

export async function findSessionsByRoom(db: Db, rooms: string[]): Promise<Session[]> {
  return (await sql<Session>`select * from sessions where room_name = any(${rooms}::text[])`.execute(db)).rows;
}

/** The session, locked until the transaction ends. */
export function lockSession(db: Db, id: string): Promise<Session | undefined> {
  return db.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function updateSession(db: Db, id: string, change: Updateable<Tables['sessions']>): Promise<Session> {
  return db.updateTable('sessions').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

export async function markAgentJoined(db: Db, id: string, agent_joined_at: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ agent_joined_at })
    .where('id', '=', id)
    .where('agent_joined_at', 'is', null)
    .execute();
}

/** Newest first; one row more than `limit`, if there is one. */
export function listSessions(db: Db, filter: SessionFilter, page: PageRequest): Promise<Session[]> {
  let query = db
    .selectFrom('sessions')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  if (page.after !== null) query = query.where('id', '<', page.after);
  if (filter.user_id !== undefined) query = query.where('user_id', '=', filter.user_id);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.call_direction !== undefined) query = query.where('call_direction', '=', filter.call_direction);
  if (filter.agent_id !== undefined) query = query.where('agent_id', '=', filter.agent_id);
  if (filter.from !== undefined) query = query.where('created_at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('created_at', '<', filter.to);
  if (filter.calls) query = query.where('call_status', 'is not', null);
  return query.execute();
}

/** Calls that have not ended, oldest first. */
export function listOpenCalls(db: Db): Promise<Session[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('status', 'in', ['CREATED', 'ACTIVE'])
    .where('call_status', 'is not', null)
    .orderBy('id')
    .execute();
}

/** Conversations that have not ended and whose room was there, oldest first. */
export function listOpenConversations(db: Db): Promise<Session[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('status', 'in', ['CREATED', 'ACTIVE'])
    .where('call_status', 'is', null)
    .where('room_seen_at', 'is not', null)
    .orderBy('id')
    .execute();
}

/** Records of open conversations that their room was there, the first time. */
export async function markRoomsSeen(db: Db, rooms: string[], room_seen_at: Date): Promise<void> {
  if (rooms.length === 0) return;
  await sql`
    update sessions set room_seen_at = ${room_seen_at.toISOString()}::timestamptz
    where room_name = any(${rooms}::text[]) and status in ('CREATED', 'ACTIVE') and call_status is null
      and room_seen_at is null`.execute(db);
}

/** How many calls have not ended, by call_status, and when the oldest of them was made. */
export function openCallsByStatus(db: Db) {
  return db
    .selectFrom('sessions')
    .select((row) => [
      'call_status',
      row.fn.countAll<number>().as('count'),
      row.fn.min<Date>('created_at').as('oldest'),
    ])
    .where('status', 'in', ['CREATED', 'ACTIVE'])
    .where('call_status', 'is not', null)
    .groupBy('call_status')
    .execute();
}

/** The status of the sessions of these rooms, by room. */
export async function statesByRoom(db: Db, rooms: string[]): Promise<Map<string, SessionStatus>> {
  if (rooms.length === 0) return new Map();
  const { rows } = await sql<{ room_name: string; status: SessionStatus }>`
    select room_name, status from sessions where room_name = any(${rooms}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.room_name, row.status]));
}

/** Some ended sessions of a user, locked until the transaction ends; in the order of their ids, as all who lock several do. */
export function lockSomeSessions(
  trx: Db,
  user_id: string,
  limit: number,
): Promise<Pick<Session, 'id' | 'room_name'>[]> {
  return trx
    .selectFrom('sessions')
    .select(['id', 'room_name'])
    .where('user_id', '=', user_id)
    .where('status', 'in', ['COMPLETED', 'FAILED'])
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
}

/** Whether any session is the user's. */
export async function hasSessions(db: Db, user_id: string): Promise<boolean> {
  const found = await db.selectFrom('sessions').select('id').where('user_id', '=', user_id).limit(1).executeTakeFirst();
  return found !== undefined;
}

/** Takes from sessions what is personal. A room's name may be: its user chose it. */
export async function eraseSessions(db: Db, ids: string[], pseudonym: string, at: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('sessions')
    .set({
      ...{ user_id: pseudonym, room_name: sql`'erased-' || gen_random_uuid()`, session_data: '{}', callback_url: null },
      ...{ outbound_phone_number: null, caller_number: null, transferred_to: null, erased_at: at, updated_at: at },
    })
    .where('id', 'in', ids)
    .execute();
}

export async function insertSessionEvent(db: Db, event: Insertable<Tables['session_events']>): Promise<void> {
  await db.insertInto('session_events').values(event).execute();
}

/** In the order they happened, which is that of their numbers: ids are in the order of clocks. Those of before the numbers have 0. */
export function listSessionEvents(db: Db, session_id: string): Promise<SessionEvent[]> {
  return db
    .selectFrom('session_events')
    .selectAll()
    .where('session_id', '=', session_id)
    .orderBy('seq')
    .orderBy('id')
    .execute();
}
