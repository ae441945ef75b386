import { type Insertable, type Selectable, sql } from 'kysely';
import { type Batch, type Deleted, deleteOld } from '../../db/retention-batches.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { idsFrom } from '../../lib/ids.ts';
import type { PageRequest } from '../../lib/page.ts';
import { TEST_EVENT } from './schema.ts';

export type Callback = Selectable<Tables['callbacks']>;
export type Attempt = Selectable<Tables['callback_attempts']>;

export const SHOWN = [
  'id',
  'session_id',
  'endpoint_id',
  'user_id',
  'type',
  'url',
  'status',
  'created_at',
  'next_attempt_at',
  'delivered_at',
] as const;
/** A callback without its body, which may be a megabyte. */
export type ShownCallback = Pick<Callback, (typeof SHOWN)[number]>;

/** Attempts shown per callback; redeliveries can add any number. */
export const MAX_ATTEMPTS_SHOWN = 50;

export interface CallbackFilter {
  user_id?: string | undefined;
  status?: Callback['status'] | undefined;
  session_id?: string | undefined;
  endpoint_id?: string | undefined;
  /** Only those whose last attempt failed. */
  is_failing?: boolean | undefined;
}

/** An event for the callback URL of its session, if any, and for the endpoints of its user. */
export interface CallbackEvent {
  id: string;
  /** Null for an event without a session. */
  session_id: string | null;
  user_id: string;
  type: string;
  /** Null for a report, whose body is written later. */
  payload: string | null;
  /** The session's own callback URL. */
  url: string | null;
  /** When to send it, or to write its body. */
  due_at: Date;
}

/**
 * Queues events, one callback per destination, to be sent once the transaction is committed and the body is there.
 * The ids of callbacks begin like those of their events, so that they sort alike.
 */
export async function insertCallbacks(
  db: Db,
  events: CallbackEvent[],
  at: Date,
  traceparent: string | null,
): Promise<void> {
  const column = (name: Exclude<keyof CallbackEvent, 'due_at'>) => events.map((event) => event[name]);
  const now = sql`${at.toISOString()}::timestamptz(3)`;
  await sql`
    -- prepared: insert_callbacks
    with event as (
      select * from unnest(
        ${column('id')}::uuid[], ${column('session_id')}::uuid[], ${column('user_id')}::text[], ${column('type')}::text[],
        ${column('payload')}::text[], ${column('url')}::text[], ${events.map(({ url }) => url && hostOf(url))}::text[],
        ${events.map(({ due_at }) => due_at.toISOString())}::timestamptz(3)[]
      ) as event (id, session_id, user_id, type, payload, url, host, due_at)
    ), destination as (
      select id as event_id, id, null::uuid as endpoint_id, url, host from event where url is not null
      union all
      select event.id, overlay(event.id::text placing right(gen_random_uuid()::text, 12) from 25)::uuid, endpoint.id,
        endpoint.url, endpoint.host
      from event join webhook_endpoints as endpoint on endpoint.user_id = event.user_id
        and endpoint.is_active and (endpoint.events is null or event.type = any(endpoint.events))
    )
    insert into callbacks (
      id, session_id, user_id, endpoint_id, url, host, type, payload, traceparent, status, attempts,
      next_attempt_at, send_at, created_at, updated_at
    )
    select destination.id, session_id, user_id, endpoint_id, destination.url, destination.host, type, payload, ${traceparent}::text,
      'pending', 0, due_at, case when payload is not null then now() end, ${now}, ${now}
    from event join destination on destination.event_id = event.id`.execute(db);
}

/** Whether an active endpoint of the user takes events of this type. */
export async function isSubscribed(db: Db, user_id: string, type: string): Promise<boolean> {
  const query = db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('user_id', '=', user_id)
    .where('is_active', '=', true);
  const taken = sql<boolean>`(events is null or ${type} = any(events))`;
  return (await query.where(taken).limit(1).executeTakeFirst()) !== undefined;
}

/** Keeps the endpoints of a user until the transaction ends. */
export async function holdEndpoints(trx: Db, user_id: string): Promise<void> {
  const query = trx.selectFrom('webhook_endpoints').select('id').where('user_id', '=', user_id);
  await query.orderBy('id').forKeyShare().execute();
}

type TestEvent = Pick<
  Insertable<Tables['callbacks']>,
  'id' | 'user_id' | 'endpoint_id' | 'url' | 'payload' | 'traceparent'
>;

/** Queues a test event for one endpoint, to be sent once the transaction is committed. */
export function insertTestEvent(trx: Db, event: TestEvent, at: Date): Promise<Callback> {
  return trx
    .insertInto('callbacks')
    .values({
      ...event,
      session_id: null,
      type: TEST_EVENT,
      host: hostOf(event.url),
      status: 'pending',
      attempts: 0,
      next_attempt_at: at,
      send_at: sql<Date>`now()`,
      created_at: at,
      updated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The creation time of the user's `place`-newest test event since `since`. */
export async function findTestEvent(db: Db, user_id: string, since: Date, place: number): Promise<Date | undefined> {
  const found = await db
    .selectFrom('callbacks')
    .select('created_at')
    .where('user_id', '=', user_id)
    // Bounds the rows that are read: an id is created with its row, or later.
    .where('id', '>=', idsFrom(since))
    .where('created_at', '>', since)
    .where('type', '=', TEST_EVENT)
    .orderBy('id', 'desc')
    .offset(place - 1)
    .limit(1)
    .executeTakeFirst();
  return found?.created_at;
}

/** Newest first; up to `limit` plus one. Reports without a body are not included. */
export function listCallbacks(db: Db, filter: CallbackFilter, page: PageRequest): Promise<ShownCallback[]> {
  let query = db
    .selectFrom('callbacks')
    .select(SHOWN)
    .where('payload', 'is not', null)
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  if (page.after !== null) query = query.where('id', '<', page.after);
  if (filter.user_id !== undefined) query = query.where('user_id', '=', filter.user_id);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.session_id !== undefined) query = query.where('session_id', '=', filter.session_id);
  if (filter.endpoint_id !== undefined) query = query.where('endpoint_id', '=', filter.endpoint_id);
  if (filter.is_failing) query = query.where(isFailing);
  return query.execute();
}

/** Given up, or attempted in vain; its first line is the condition of an index. */
const isFailing = sql<boolean>`(status = 'failed' or (status = 'pending' and attempts > 0))
  and (status = 'failed' or not coalesce((
    select response_status between 200 and 299 from callback_attempts
    where callback_id = callbacks.id order by callback_attempts.id desc limit 1
  ), false))`;

/** The newest attempts of these callbacks, in order. */
export async function listAttempts(db: Db, callback_ids: string[]): Promise<Attempt[]> {
  if (callback_ids.length === 0) return [];
  const { rows } = await sql<Attempt>`
    select attempt.* from unnest(${callback_ids}::uuid[]) as asked (id) cross join lateral (
      select * from callback_attempts where callback_id = asked.id order by id desc limit ${MAX_ATTEMPTS_SHOWN}
    ) as attempt order by attempted_at, attempt.id`.execute(db);
  return rows;
}

/** Deletes a batch of the callbacks that are not pending, with their attempts, but none under a legal hold. */
export function deleteOldCallbacks(db: Db, batch: Batch): Promise<Deleted> {
  const where = sql<boolean>`status != 'pending'`;
  const of = { session: 'session_id', user: 'user_id' };
  return deleteOld(db, { table: 'callbacks', id: 'id', of, where }, batch);
}

/** Deletes the callbacks of these sessions, with their attempts. */
export async function deleteCallbacksOf(db: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length === 0) return;
  // Locked in the same order as in recording attempts, to avoid deadlocks.
  const locked = db
    .selectFrom('callbacks')
    .select('id')
    .where('session_id', 'in', session_ids)
    .orderBy('id')
    .forUpdate();
  await db.deleteFrom('callbacks').where('id', 'in', locked).execute();
}

/** Events that quote a conversation. */
const QUOTING = ['call.report', 'call.analyzed', 'call.digits', 'chat.ended'] as const;

/** Deletes what quotes these sessions, delivered or not, with the attempts. */
export async function deleteReportsOf(
  db: Db,
  session_ids: string[],
  types: readonly (typeof QUOTING)[number][] = QUOTING,
): Promise<void> {
  if (session_ids.length === 0) return;
  const locked = db
    .selectFrom('callbacks')
    .select('id')
    .where('session_id', 'in', session_ids)
    .where('type', 'in', types)
    .orderBy('id')
    .forUpdate();
  await db.deleteFrom('callbacks').where('id', 'in', locked).execute();
}

/** Deletes a user's callbacks without a session, with their attempts. */
export async function deleteCallbacksOfUser(db: Db, user_id: string): Promise<void> {
  const locked = db
    .selectFrom('callbacks')
    .select('id')
    .where('user_id', '=', user_id)
    .where('session_id', 'is', null)
    .orderBy('id')
    .forUpdate();
  await db.deleteFrom('callbacks').where('id', 'in', locked).execute();
}

/** Longer than any reachable host name; an index entry could not hold every valid URL's. */
const MAX_HOST = 300;

/** Receivers are told apart by host. */
export function hostOf(url: string): string {
  return new URL(url).host.slice(0, MAX_HOST);
}
