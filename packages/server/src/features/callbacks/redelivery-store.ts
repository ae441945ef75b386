import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { idsFrom } from '../../lib/ids.ts';
import type { Callback } from './store.ts';

type Again = Pick<Callback, 'id' | 'user_id' | 'url'>;

/**
 * Failed callbacks created since then, oldest first, locked until the transaction ends. Locked in the same order as
 * in recording attempts, to avoid deadlocks.
 */
export async function lockFailed(trx: Db, user_id: string | null, since: Date, limit: number): Promise<Again[]> {
  const isTheirs = user_id === null ? sql`true` : sql`user_id = ${user_id}`;
  const { rows } = await sql<Again>`
    select id, user_id, url from callbacks
    where status = 'failed' and payload is not null and ${isTheirs}
      and id >= ${idsFrom(since)}::uuid and created_at >= ${since.toISOString()}::timestamptz
    order by id limit ${limit} for update`.execute(trx);
  return rows;
}

/** Callbacks of the user by id (null: of any user), locked in the same order. */
export async function lockCallbacks(trx: Db, user_id: string | null, ids: string[]): Promise<Again[]> {
  const { rows } = await sql<Again>`
    select id, user_id, url from callbacks
    where id = any(${ids}::uuid[]) and payload is not null and (${user_id}::text is null or user_id = ${user_id})
    order by id for update`.execute(trx);
  return rows;
}

/** Makes callbacks pending again. */
export async function makePending(trx: Db, ids: string[], now: Date): Promise<void> {
  await trx
    .updateTable('callbacks')
    .set({ status: 'pending', next_attempt_at: now, delivered_at: null, updated_at: now })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** Reactivates the addresses of these callbacks; in one order, because other redeliveries may do so too. */
export async function reactivateAddresses(trx: Db, callbacks: Again[]): Promise<void> {
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
