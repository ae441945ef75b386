import { type Selectable, sql, type Updateable } from 'kysely';
import { pageWithinBudget } from '../../db/page-budget.ts';
import type { CallDirection, Db, SessionStatus, Tables } from '../../db/tables.ts';
import { idsFrom } from '../../lib/ids.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { PageRequest } from '../../lib/page.ts';

type SessionRow = Selectable<Tables['sessions']>;

/** All columns except the JSON ones (`session_data` may be a mebibyte), which are only read to be shown. */
const COLUMNS = [
  'id',
  'room_name',
  'user_id',
  'agent_id',
  'agent_version',
  'status',
  'started_at',
  'ended_at',
  'duration',
  'session_data_bytes',
  'call_direction',
  'call_status',
  'outbound_phone_number',
  'caller_number',
  'caller_id',
  'our_number',
  'ringing_timeout_s',
  'max_duration_s',
  'callback_url',
  'privacy',
  'agent_joined_at',
  'dispatched_at',
  'room_seen_at',
  'end_reason',
  'sip_status_code',
  'trunks',
  'transferred_to',
  'transfer_type',
  'answered_by',
  'disposition',
  'transfer_timestamp',
  'erased_at',
  'last_event',
  'created_at',
  'updated_at',
] as const;

/** The same as SQL, for raw statements: in one piece, because they are put together for each use. */
export const SESSION_COLUMNS = sql.raw(COLUMNS.map((column) => `sessions.${column}`).join());

export type Session = Pick<SessionRow, (typeof COLUMNS)[number]>;
/** A session with its data. */
export type WholeSession = Session & Pick<SessionRow, 'session_data'>;
/** A session as it is shown: with its data and its agent's current name. */
export type ShownSession = WholeSession & { agent_name: string | null };

export interface SessionFilter {
  user_id?: string | undefined;
  status?: SessionStatus | undefined;
  call_direction?: CallDirection | undefined;
  agent_id?: string | undefined;
  /** Created at or after. */
  from?: Date | undefined;
  /** Created before. */
  to?: Date | undefined;
}

export function findSession(db: Db, id: string): Promise<Session | undefined> {
  return db.selectFrom('sessions').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** The `session_data` of an existing session. */
export async function findSessionData(db: Db, id: string): Promise<JsonObject> {
  const query = db.selectFrom('sessions').select('session_data').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).session_data;
}

const CALL_DATA = ['variables', 'metadata', 'record', 'sip', 'sip_call_id', 'carrier_call_sid'] as const;

/** The data and choices of an existing session that are for its worker, and its SIP facts. */
export function findCallData(db: Db, id: string): Promise<Pick<SessionRow, (typeof CALL_DATA)[number]>> {
  const query = db.selectFrom('sessions').select(CALL_DATA);
  return query.where('id', '=', id).executeTakeFirstOrThrow();
}

/** The rules by which a session is redacted; null for none, and for an unknown session. */
export async function findPrivacy(db: Db, id: string): Promise<Session['privacy']> {
  const query = db.selectFrom('sessions').select('privacy').where('id', '=', id);
  return (await query.executeTakeFirst())?.privacy ?? null;
}

/** The session, locked until the transaction ends. */
export function lockSession(db: Db, id: string): Promise<Session | undefined> {
  return db.selectFrom('sessions').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst();
}

export function updateSession(db: Db, id: string, change: Updateable<Tables['sessions']>): Promise<Session> {
  const { session_data } = change;
  const size = typeof session_data === 'string' ? { session_data_bytes: Buffer.byteLength(session_data) } : {};
  return db
    .updateTable('sessions')
    .set({ ...change, ...size })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Newest first, with their data: as many as fit into a page. */
export function listSessions(db: Db, filter: SessionFilter, page: PageRequest) {
  return pageWithinBudget<WholeSession>(db, filtered(db, filter, page).select([...COLUMNS, 'session_data']), {
    limit: page.limit,
    order: sql`id desc`,
    bytes: sql<number>`session_data_bytes`,
  });
}

/** Phone calls, newest first; up to `limit` plus one. */
export function listCalls(db: Db, filter: SessionFilter, page: PageRequest): Promise<Session[]> {
  const calls = filtered(db, filter, page).where('call_status', 'is not', null);
  return calls
    .select(COLUMNS)
    .limit(page.limit + 1)
    .execute();
}

/** Open calls and chats of a user, newest first: what models are paid for. Up to `limit`. */
export function listOpenOf(db: Db, user_id: string, { after, limit }: PageRequest): Promise<Session[]> {
  const open = filtered(db, { user_id }, { after, limit }).where('status', 'in', ['CREATED', 'ACTIVE']);
  const ofCalls = open.where(({ or, eb, exists, selectFrom }) =>
    or([
      eb('call_status', 'is not', null),
      exists(selectFrom('chats').select('session_id').whereRef('session_id', '=', 'sessions.id')),
    ]),
  );
  return ofCalls.select(COLUMNS).limit(limit).execute();
}

function filtered(db: Db, filter: SessionFilter, page: PageRequest) {
  let query = db.selectFrom('sessions').orderBy('id', 'desc');
  if (page.after !== null) query = query.where('id', '<', page.after);
  if (filter.user_id !== undefined) query = query.where('user_id', '=', filter.user_id);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.call_direction !== undefined) query = query.where('call_direction', '=', filter.call_direction);
  if (filter.agent_id !== undefined) query = query.where('agent_id', '=', filter.agent_id);
  if (filter.from !== undefined) query = query.where('created_at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('created_at', '<', filter.to);
  return query;
}

/**
 * The inbound calls to a number of an agent from one caller since then, other than the one in this room. The time in
 * their ids bounds what is read of the agent's index: everything that the agent has begun since, and nothing older.
 */
export async function listRecentCalls(
  db: Db,
  {
    agent_id,
    room_name,
    our_number,
    caller_id,
  }: Pick<SessionRow, 'agent_id' | 'room_name' | 'our_number' | 'caller_id'>,
  since: Date,
): Promise<Pick<SessionRow, 'sip_call_id' | 'created_at'>[]> {
  const { rows } = await sql<Pick<SessionRow, 'sip_call_id' | 'created_at'>>`
    select sip_call_id, created_at from sessions
    where agent_id = ${agent_id}::uuid and id >= ${idsFrom(since)}::uuid
      and created_at > ${since.toISOString()}::timestamptz and call_direction = 'INBOUND' and room_name <> ${room_name}
      and our_number = ${our_number} and caller_id is not distinct from ${caller_id}`.execute(db);
  return rows;
}

/** Calls that have not ended, oldest first. */
export function listOpenCalls(db: Db): Promise<Session[]> {
  return db
    .selectFrom('sessions')
    .select(COLUMNS)
    .where('status', 'in', ['CREATED', 'ACTIVE'])
    .where('call_status', 'is not', null)
    .orderBy('id')
    .execute();
}

/** Conversations that have not ended and whose room was seen, oldest first. */
export function listOpenConversations(db: Db): Promise<Session[]> {
  return db
    .selectFrom('sessions')
    .select(COLUMNS)
    .where('status', 'in', ['CREATED', 'ACTIVE'])
    .where('call_status', 'is', null)
    .where('room_seen_at', 'is not', null)
    .orderBy('id')
    .execute();
}

/** Open conversations created before `created_before` whose room was never seen, oldest first. */
export function listNeverStarted(db: Db, created_before: Date, limit: number): Promise<Session[]> {
  return db
    .selectFrom('sessions')
    .select(COLUMNS)
    .where('status', 'in', ['CREATED', 'ACTIVE'])
    .where('call_status', 'is', null)
    .where('room_seen_at', 'is', null)
    .where('created_at', '<', created_before)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Records that the rooms of open conversations were seen, the first time. */
export async function markRoomsSeen(db: Db, rooms: string[], room_seen_at: Date): Promise<void> {
  if (rooms.length === 0) return;
  await sql`
    with locked as (
      select id from sessions
      where room_name = any(${rooms}::text[]) and status in ('CREATED', 'ACTIVE') and call_status is null
        and room_seen_at is null
      order by id for update
    )
    update sessions set room_seen_at = ${room_seen_at.toISOString()}::timestamptz
    from locked where sessions.id = locked.id`.execute(db);
}

/** The number of open calls by call_status, and the creation time of the oldest. */
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
    -- prepared: session_states_by_room
    select room_name, status from sessions where room_name = any(${rooms}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.room_name, row.status]));
}

/** Some ended sessions of a user, locked until the transaction ends; in the order of their ids, to avoid deadlocks. */
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

/** Whether the user has any session. */
export async function hasSessions(db: Db, user_id: string): Promise<boolean> {
  const found = await db.selectFrom('sessions').select('id').where('user_id', '=', user_id).limit(1).executeTakeFirst();
  return found !== undefined;
}

/** Deletes personal data of sessions. A room's name may be personal: users can choose it. */
export async function eraseSessions(db: Db, ids: string[], pseudonym: string, at: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('sessions')
    .set({
      user_id: pseudonym,
      room_name: sql`'erased-' || gen_random_uuid()`,
      session_data: '{}',
      session_data_bytes: 2,
      callback_url: null,
      outbound_phone_number: null,
      caller_number: null,
      caller_id: null,
      sip_call_id: null,
      carrier_call_sid: null,
      sip: null,
      our_number: null,
      variables: null,
      metadata: null,
      privacy: null,
      transferred_to: null,
      answered_by: null,
      disposition: null,
      erased_at: at,
      updated_at: at,
    })
    .where('id', 'in', ids)
    .execute();
}
