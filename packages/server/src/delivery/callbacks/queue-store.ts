import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { TEST_EVENT } from './schema.ts';
import { type Attempt, type Callback, hostOf } from './store.ts';

/** A lane: one user's receivers at one host. */
export interface Lane {
  host: string;
  user_id: string;
}

/** Limits on the number of callbacks, and on the bytes of their bodies, which the last one may exceed. */
export interface Share {
  free: number;
  bytes: number;
}

/** The capacity left per lane, host and user; `first` applies to all others. */
export interface Capacity {
  all: Share;
  first: { lane: number; host: number; user: Share };
  /** Lanes whose last attempt got no response come after the others of their host. */
  lanes: (Lane & { free: number; has_failed: boolean })[];
  hosts: { host: string; free: number }[];
  users: (Share & { user_id: string })[];
}

const COLUMNS = [
  'id',
  'session_id',
  'user_id',
  'type',
  'payload',
  'attempts',
  'earlier_attempts',
  'host',
  'traceparent',
] as const;
/** A callback and its address. */
export type Due = Pick<Callback, (typeof COLUMNS)[number]> & { host: string; url: string };
/** Without an address, its endpoint is deleted or inactive. */
export type Claimed = Omit<Due, 'url'> & { url: string | null; is_off: boolean };

/**
 * The address of a callback. An endpoint's is read anew, whatever it was when the event was queued; null if the
 * endpoint is deleted, or inactive, when it gets test events alone.
 */
export const CURRENT_URL = sql<string | null>`case when callbacks.endpoint_id is null then callbacks.url else (
  select endpoint.url from webhook_endpoints as endpoint
  where endpoint.id = callbacks.endpoint_id and (endpoint.is_active or callbacks.type = ${sql.lit(TEST_EVENT)})
) end`;

/**
 * Claims due callbacks for `leaseMs`; after that another process may claim them. Per host and user, so that a lane
 * with thousands of them is not scanned beyond its capacity. Uses the database's clock, because the clocks of replicas
 * differ.
 */
export async function takeDue(
  db: Db,
  { all, first, lanes, hosts, users }: Capacity,
  leaseMs: number,
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with recursive waiting (host, user_id) as (
      (select host, user_id from callbacks where status = 'pending' and send_at is not null order by host, user_id limit 1)
      union all
      select next.host, next.user_id from waiting cross join lateral (
        select host, user_id from callbacks as after
        where status = 'pending' and send_at is not null and (after.host, after.user_id) > (waiting.host, waiting.user_id)
        order by after.host, after.user_id limit 1
      ) as next
    ), due as (
      select id, user_id, bytes, send_at, has_failed, free,
        row_number() over (partition by host order by has_failed, send_at) as place
      from (
        select callback.id, waiting.user_id, callback.bytes, callback.send_at, waiting.host, coalesce(host.free, ${first.host}::integer) as free,
          coalesce(lane.has_failed, false) as has_failed
        from waiting
        left join unnest(
          ${lanes.map(({ host }) => host)}::text[], ${lanes.map(({ user_id }) => user_id)}::text[],
          ${lanes.map(({ free }) => free)}::integer[], ${lanes.map(({ has_failed }) => has_failed)}::boolean[]
        ) as lane (host, user_id, free, has_failed) on lane.host = waiting.host and lane.user_id = waiting.user_id
        left join unnest(${hosts.map(({ host }) => host)}::text[], ${hosts.map(({ free }) => free)}::integer[]) as host (host, free)
          on host.host = waiting.host
        cross join lateral (
          select id, send_at, octet_length(payload) as bytes from callbacks
          where status = 'pending' and host = waiting.host and user_id = waiting.user_id and send_at <= now()
          order by send_at limit coalesce(lane.free, ${first.lane}::integer) for update skip locked
        ) as callback
        where coalesce(host.free, ${first.host}::integer) > 0
      ) as candidate
    ), due_of_user as (
      select id, due.bytes, send_at, has_failed, coalesce(share.free, ${first.user.free}::integer) as free,
        coalesce(share.bytes, ${first.user.bytes}::integer) as free_bytes,
        row_number() over (partition by due.user_id order by has_failed, send_at) as place,
        coalesce(sum(due.bytes) over (partition by due.user_id order by has_failed, send_at
          rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from due left join unnest(
        ${users.map(({ user_id }) => user_id)}::text[], ${users.map(({ free }) => free)}::integer[],
        ${users.map(({ bytes }) => bytes)}::integer[]
      ) as share (user_id, free, bytes) on share.user_id = due.user_id
      where due.place <= due.free
    ), taken as (
      select id from (
        select id, send_at, has_failed, coalesce(sum(bytes) over (order by has_failed, send_at
          rows between unbounded preceding and 1 preceding), 0) as bytes_before
        from due_of_user where place <= free and bytes_before < free_bytes
      ) as possible where bytes_before < ${all.bytes}::integer order by has_failed, send_at limit ${all.free}
    )
    update callbacks set send_at = now() + ${leaseMs}::integer * interval '1 millisecond'
    from taken where callbacks.id = taken.id
    returning ${sql.join(COLUMNS.map((column) => sql.ref(`callbacks.${column}`)))}, ${CURRENT_URL} as url, coalesce((
      select true from callback_endpoints_off as off where off.user_id = callbacks.user_id and off.url_hash = md5(${CURRENT_URL})
    ), false) as is_off`.execute(db);
  return rows;
}

/** An attempt, and the callback's state after it. */
export interface Outcome extends Attempt {
  status: Callback['status'];
  /** The number of attempts before: another process may have made this one meanwhile. */
  before: number;
  /** Those of them before its redelivery: it may have been redelivered meanwhile. */
  earlier: number;
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
        ${column('before')}::integer[], ${column('earlier')}::integer[], ${column('pause_s')}::integer[]
      ) as row (id, callback_id, attempted_at, latency_ms, response_status, error, status, before, earlier, pause_s)
    ), counted as (
      select callbacks.id from callbacks join outcome on callback_id = callbacks.id
      where callbacks.status = 'pending' and attempts = before and earlier_attempts = earlier order by callbacks.id for update of callbacks
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

export async function countOverdue(db: Db, before: Date): Promise<number> {
  const { count } = await db
    .selectFrom('callbacks')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<', before)
    .executeTakeFirstOrThrow();
  return count;
}

/** Gives up a callback, unless it is not pending any more. */
export async function giveUp(db: Db, id: string, updated_at: Date): Promise<void> {
  await db
    .updateTable('callbacks')
    .set({ status: 'failed', next_attempt_at: null, send_at: null, updated_at })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/** Gives up the pending callbacks of a user's address, while it is switched off. */
export async function failPending(db: Db, { user_id, url }: Endpoint, updated_at: Date): Promise<void> {
  // Rows locked by another transaction are skipped: it finds the address switched off.
  const waiting = db
    .selectFrom('callbacks')
    .select('id')
    .where('user_id', '=', user_id)
    .where(sql`md5(url)`, '=', sql`md5(${url})`)
    .where('status', '=', 'pending')
    // An attempt that did not count has not switched it off: its callback was redelivered meanwhile, or deleted.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('callback_endpoints_off')
          .select('user_id')
          .where('user_id', '=', user_id)
          .where('url_hash', '=', sql<string>`md5(${url})`),
      ),
    )
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

/** An address of a user. */
export interface Endpoint {
  user_id: string;
  url: string;
}

export async function switchOff(db: Db, { user_id, url }: Endpoint, switched_off_at: Date): Promise<void> {
  await db
    .insertInto('callback_endpoints_off')
    .values({ user_id, url_hash: sql`md5(${url})`, switched_off_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function switchOn(db: Db, { user_id, url }: Endpoint): Promise<void> {
  await db
    .deleteFrom('callback_endpoints_off')
    .where('user_id', '=', user_id)
    .where('url_hash', '=', sql<string>`md5(${url})`)
    .execute();
}

/** Forgets which addresses of a user are switched off. */
export async function deleteEndpointsOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('callback_endpoints_off').where('user_id', '=', user_id).execute();
}
