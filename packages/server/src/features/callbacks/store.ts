import { type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';
import type { Endpoint } from './endpoint-store.ts';

export type Callback = Selectable<Tables['callbacks']>;
export type Attempt = Selectable<Tables['callback_attempts']>;

const SHOWN = [
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

/** Locked until the transaction ends. */
export function lockCallback(trx: Db, id: string): Promise<Callback | undefined> {
  return trx.selectFrom('callbacks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function updateCallback(db: Db, id: string, change: Updateable<Tables['callbacks']>): Promise<Callback> {
  return db.updateTable('callbacks').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
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
  return query.execute();
}

/** The newest attempts of these callbacks, in order. */
export async function listAttempts(db: Db, callback_ids: string[]): Promise<Attempt[]> {
  if (callback_ids.length === 0) return [];
  const { rows } = await sql<Attempt>`
    select attempt.* from unnest(${callback_ids}::uuid[]) as asked (id) cross join lateral (
      select * from callback_attempts where callback_id = asked.id order by id desc limit ${MAX_ATTEMPTS_SHOWN}
    ) as attempt order by attempted_at, attempt.id`.execute(db);
  return rows;
}

export async function countOverdue(db: Db, before: Date): Promise<number> {
  const { count } = await db
    .selectFrom('callbacks')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<', before)
    .executeTakeFirstOrThrow();
  return count;
}

/** Gives up the pending callbacks of a user's address. */
export async function failPending(db: Db, { user_id, url }: Endpoint, updated_at: Date): Promise<void> {
  // Rows locked by another transaction are skipped: it finds the address switched off.
  const waiting = db
    .selectFrom('callbacks')
    .select('id')
    .where('user_id', '=', user_id)
    .where(sql`md5(url)`, '=', sql`md5(${url})`)
    .where('status', '=', 'pending')
    .forUpdate()
    .skipLocked();
  await db
    .updateTable('callbacks')
    .set({ status: 'failed', next_attempt_at: null, send_at: null, updated_at })
    .where('id', 'in', waiting)
    .execute();
}

/** Gives up the pending callbacks of a webhook endpoint. */
export async function failPendingOf(db: Db, endpoint_id: string, updated_at: Date): Promise<void> {
  await db
    .updateTable('callbacks')
    .set({ status: 'failed', next_attempt_at: null, send_at: null, updated_at })
    .where('id', 'in', pendingOf(db, endpoint_id))
    .execute();
}

/** Redirects the pending callbacks of a webhook endpoint to another address. */
export async function redirectPending(db: Db, endpoint_id: string, url: string, updated_at: Date): Promise<void> {
  await db
    .updateTable('callbacks')
    .set({ url, host: hostOf(url), updated_at })
    .where('id', 'in', pendingOf(db, endpoint_id))
    .execute();
}

/** Locked in the same order as in recording attempts, to avoid deadlocks. */
function pendingOf(db: Db, endpoint_id: string) {
  return db
    .selectFrom('callbacks')
    .select('id')
    .where('endpoint_id', '=', endpoint_id)
    .where('status', '=', 'pending')
    .orderBy('id')
    .forUpdate();
}

/**
 * Deletes up to `limit` callbacks created before the id `before` that are not pending, with their attempts; returns
 * their number.
 */
export async function deleteOldCallbacks(db: Db, before: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('callbacks')
    .select('id')
    .where('id', '<', before)
    .where('status', '!=', 'pending')
    .orderBy('id')
    .limit(limit);
  const result = await db.deleteFrom('callbacks').where('id', 'in', old).executeTakeFirst();
  return Number(result.numDeletedRows);
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

/** Makes these due at once, whether or not they are queued. */
export async function sendNow(db: Db, callbacks: Pick<Callback, 'id' | 'url'>[]): Promise<void> {
  await sql`
    update callbacks set send_at = now(), host = due.host
    from unnest(${callbacks.map(({ id }) => id)}::uuid[], ${callbacks.map(({ url }) => hostOf(url))}::text[]) as due (id, host)
    where callbacks.id = due.id and status = 'pending'`.execute(db);
}

/** Longer than any reachable host name; an index entry could not hold every valid URL's. */
const MAX_HOST = 300;

/** Receivers are told apart by host. */
export function hostOf(url: string): string {
  return new URL(url).host.slice(0, MAX_HOST);
}

/** An attempt, and the callback's state after it. */
export interface Outcome extends Attempt {
  status: Callback['status'];
  /** The number of attempts before: another process may have made this one meanwhile. */
  before: number;
  /** Seconds until the next attempt, if any. */
  pause_s: number | null;
}

/** Records attempts and the new states of their callbacks; returns the ids of those that counted. */
export async function recordAttempts(db: Db, outcomes: Outcome[], now: Date): Promise<Set<string>> {
  const column = (name: keyof Outcome) => outcomes.map((outcome) => outcome[name]);
  const { rows } = await sql<{ id: string }>`
    with outcome as (
      select distinct on (callback_id) * from unnest(
        ${column('id')}::uuid[], ${column('callback_id')}::uuid[],
        ${outcomes.map(({ attempted_at }) => attempted_at.toISOString())}::timestamptz(3)[], ${column('latency_ms')}::integer[],
        ${column('response_status')}::integer[], ${column('error')}::text[], ${column('status')}::text[],
        ${column('before')}::integer[], ${column('pause_s')}::integer[]
      ) as row (id, callback_id, attempted_at, latency_ms, response_status, error, status, before, pause_s)
    ), counted as (
      select callbacks.id from callbacks join outcome on callback_id = callbacks.id
      where callbacks.status = 'pending' and attempts = before order by callbacks.id for update of callbacks
    ), attempted as (
      insert into callback_attempts (id, callback_id, attempted_at, latency_ms, response_status, error)
      select id, callback_id, attempted_at, latency_ms, response_status, error
      from outcome where callback_id in (select id from counted)
    )
    update callbacks set
      status = outcome.status, attempts = before + 1, updated_at = ${now},
      delivered_at = case when outcome.status = 'delivered' then ${now}::timestamptz end,
      next_attempt_at = ${now}::timestamptz + pause_s * interval '1 second', send_at = now() + pause_s * interval '1 second'
    from outcome where callbacks.id = callback_id and callbacks.id in (select id from counted)
    returning callbacks.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
