import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { idsFrom } from '../../lib/ids.ts';
import { CURRENT_URL } from './queue-store.ts';
import { type Callback, hostOf, SHOWN, type ShownCallback } from './store.ts';

/** A callback, and the address to which it would be sent now. */
type Redeliverable = Pick<Callback, 'id' | 'user_id' | 'url'>;

/**
 * Failed callbacks created since then that have an address, oldest first, locked until the transaction ends. Locked in
 * the same order as in recording attempts, to avoid deadlocks.
 */
export async function lockFailed(
  trx: Db,
  user_id: string | null,
  since: Date,
  limit: number,
): Promise<Redeliverable[]> {
  const isTheirs = user_id === null ? sql`true` : sql`user_id = ${user_id}`;
  const { rows } = await sql<Redeliverable>`
    select id, user_id, ${CURRENT_URL} as url from callbacks
    where status = 'failed' and payload is not null and ${isTheirs} and ${CURRENT_URL} is not null
      and id >= ${idsFrom(since)}::uuid and created_at >= ${since.toISOString()}::timestamptz
    order by id limit ${limit} for update`.execute(trx);
  return rows;
}

/** Callbacks of the user by id (null: of any user) that have a body and an address, locked in the same order. */
export async function lockCallbacks(trx: Db, user_id: string | null, ids: string[]): Promise<Redeliverable[]> {
  const { rows } = await sql<Redeliverable>`
    select id, user_id, ${CURRENT_URL} as url from callbacks
    where id = any(${ids}::uuid[]) and payload is not null and (${user_id}::text is null or user_id = ${user_id})
      and ${CURRENT_URL} is not null
    order by id for update`.execute(trx);
  return rows;
}

/** Makes callbacks pending again, due at once at these addresses, with all their attempts ahead of them. */
export async function sendAgain(trx: Db, callbacks: Redeliverable[], at: Date): Promise<ShownCallback[]> {
  const now = sql`${at.toISOString()}::timestamptz(3)`;
  const { rows } = await sql<ShownCallback>`
    update callbacks set status = 'pending', earlier_attempts = attempts, url = again.url, host = again.host,
      next_attempt_at = ${now}, send_at = now(), delivered_at = null, updated_at = ${now}
    from unnest(
      ${callbacks.map(({ id }) => id)}::uuid[], ${callbacks.map(({ url }) => url)}::text[],
      ${callbacks.map(({ url }) => hostOf(url))}::text[]
    ) as again (id, url, host)
    where callbacks.id = again.id
    returning ${sql.join(SHOWN.map((column) => sql.ref(`callbacks.${column}`)))}`.execute(trx);
  return rows;
}

/** Reactivates the addresses of these callbacks; in one order, because other redeliveries may do so too. */
export async function reactivateAddresses(trx: Db, callbacks: Redeliverable[]): Promise<void> {
  await sql`
    delete from callback_endpoints_off where (user_id, url_hash) in (
      select user_id, url_hash from callback_endpoints_off
      where (user_id, url_hash) in (
        select user_id, md5(url) from unnest(
          ${callbacks.map(({ user_id }) => user_id)}::text[], ${callbacks.map(({ url }) => url)}::text[]
        ) as address (user_id, url)
      ) order by user_id, url_hash for update
    )`.execute(trx);
}
