import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';
import type { PageRequest } from '../lib/page.ts';

export type Callback = Selectable<Tables['callbacks']>;
export type Attempt = Selectable<Tables['callback_attempts']>;

export interface CallbackFilter {
  user_id?: string | undefined;
  status?: Callback['status'] | undefined;
  session_id?: string | undefined;
}

export async function insertCallback(db: Db, callback: Insertable<Tables['callbacks']>): Promise<void> {
  await db.insertInto('callbacks').values(callback).execute();
}

export function findCallback(db: Db, id: string): Promise<Callback | undefined> {
  return db.selectFrom('callbacks').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The same, locked until the transaction ends. */
export function lockCallback(trx: Db, id: string): Promise<Callback | undefined> {
  return trx.selectFrom('callbacks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function updateCallback(db: Db, id: string, change: Updateable<Tables['callbacks']>): Promise<Callback> {
  return db.updateTable('callbacks').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

export async function insertAttempt(db: Db, attempt: Insertable<Tables['callback_attempts']>): Promise<void> {
  await db.insertInto('callback_attempts').values(attempt).execute();
}

/** Newest first; one row more than `limit`, if there is one. */
export function listCallbacks(db: Db, filter: CallbackFilter, page: PageRequest): Promise<Callback[]> {
  let query = db
    .selectFrom('callbacks')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  if (page.after !== null) query = query.where('id', '<', page.after);
  if (filter.user_id !== undefined) query = query.where('user_id', '=', filter.user_id);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.session_id !== undefined) query = query.where('session_id', '=', filter.session_id);
  return query.execute();
}

/** The attempts of these callbacks, in their order. */
export async function listAttempts(db: Db, callback_ids: string[]): Promise<Attempt[]> {
  if (callback_ids.length === 0) return [];
  return db
    .selectFrom('callback_attempts')
    .selectAll()
    .where('callback_id', 'in', callback_ids)
    .orderBy('attempted_at')
    .orderBy('id')
    .execute();
}

/** Callbacks that have been due since before `before`, longest first. */
export function listOverdue(db: Db, before: Date, limit: number): Promise<Callback[]> {
  return db
    .selectFrom('callbacks')
    .selectAll()
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<', before)
    .orderBy('next_attempt_at')
    .limit(limit)
    .execute();
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

interface Endpoint {
  user_id: string;
  url: string;
}

/** Gives up what still waits for an address of the user. */
export async function failPending(db: Db, { user_id, url }: Endpoint, updated_at: Date): Promise<void> {
  // What another transaction holds is left to it: it finds the address switched off.
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
    .set({ status: 'failed', next_attempt_at: null, updated_at })
    .where('id', 'in', waiting)
    .execute();
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

export async function isSwitchedOff(db: Db, { user_id, url }: Endpoint): Promise<boolean> {
  const found = await db
    .selectFrom('callback_endpoints_off')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('url_hash', '=', sql<string>`md5(${url})`)
    .executeTakeFirst();
  return found !== undefined;
}

/** Deletes up to `limit` callbacks made before the id `before` that are not pending, with their attempts; tells how many. */
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
  if (session_ids.length > 0) await db.deleteFrom('callbacks').where('session_id', 'in', session_ids).execute();
}

/** Forgets which addresses of a user are switched off. */
export async function deleteEndpointsOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('callback_endpoints_off').where('user_id', '=', user_id).execute();
}
