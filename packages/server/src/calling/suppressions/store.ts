import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';

export type SuppressionRow = Selectable<Tables['suppressions']>;
export type ConsentRow = Selectable<Tables['consents']>;

export async function findNumberKey(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('number_keys').select('secret').executeTakeFirst())?.secret;
}

/** Stores the key, in place of `before`; returns the stored one, which another process may have been first to make. */
export async function saveNumberKey(db: Db, secret: string, before: string | null): Promise<string> {
  if (before === null)
    await db
      .insertInto('number_keys')
      .values({ secret })
      .onConflict((row) => row.doNothing())
      .execute();
  else await db.updateTable('number_keys').set({ secret }).where('secret', '=', before).execute();
  return (await db.selectFrom('number_keys').select('secret').executeTakeFirstOrThrow()).secret;
}

/** Serializes the changes of a user's suppressions, so that their numbers ascend in the order of the commits. */
export async function lockSuppressions(trx: Db, user_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`suppressions of ${user_id}`}, 0))`.execute(trx);
}

/** A suppression to add. */
export type NewSuppression = Omit<SuppressionRow, 'change' | 'deleted_at' | 'expires_at' | 'created_at'> & {
  expires_at: string | null;
  created_at: string;
};

/** One that is stored already, as one that is added depends on it. */
export type KnownSuppression = Pick<
  NewSuppression,
  'number_hash' | 'scope' | 'scope_id' | 'reason' | 'expires_at' | 'call_id' | 'transcript_id'
>;

/** Those in force for the same numbers and scopes, also such as an erasure has left; under the lock of the user's. */
export async function listInForce(trx: Db, rows: NewSuppression[]): Promise<KnownSuppression[]> {
  const { rows: found } = await sql<Omit<KnownSuppression, 'expires_at'> & { expires_at: Date | null }>`
    select known.number_hash, known.scope, known.scope_id, known.reason, known.expires_at, known.call_id, known.transcript_id
    from json_populate_recordset(null::suppressions, ${JSON.stringify(rows)}::text::json) as wanted
    join suppressions as known using (number_hash, scope, scope_id)
    where known.deleted_at is null and (known.expires_at is null or known.expires_at > wanted.created_at)`.execute(trx);
  return found.map((row) => ({ ...row, expires_at: row.expires_at?.toISOString() ?? null }));
}

/**
 * Adds suppressions of different numbers or scopes, in place of those for the same, under the lock of the user's.
 * Returns how many are new, and those that were not in force before: new ones, removed ones and expired ones.
 */
export async function addSuppressions(trx: Db, rows: NewSuppression[]) {
  const { rows: written } = await sql<SuppressionRow & { is_new: boolean; was_blocked: boolean }>`
    with wanted as (
      select * from json_populate_recordset(null::suppressions, ${JSON.stringify(rows)}::text::json)
    ), blocked as (
      select known.id from suppressions as known join wanted using (number_hash, scope, scope_id)
      where known.user_id is not null and known.deleted_at is null
        and (known.expires_at is null or known.expires_at > wanted.created_at)
    ), written as (
      insert into suppressions (id, user_id, phone_number, number_hash, scope, scope_id, reason, expires_at, call_id,
        transcript_id, created_at, deleted_at, change)
      select id, user_id, phone_number, number_hash, scope, scope_id, reason, expires_at, call_id, transcript_id, created_at,
        null, nextval('suppression_changes')
      from wanted
      on conflict (number_hash, scope, scope_id) do update set
        user_id = excluded.user_id, phone_number = excluded.phone_number, reason = excluded.reason,
        expires_at = excluded.expires_at, call_id = excluded.call_id, transcript_id = excluded.transcript_id,
        deleted_at = null, change = excluded.change
      returning *, xmax = 0 as is_new
    )
    select *, id in (select id from blocked) as was_blocked from written order by change`.execute(trx);
  return {
    added: written.filter(({ is_new }) => is_new).length,
    blocked: written.filter(({ was_blocked }) => !was_blocked),
  };
}

export function findSuppression(trx: Db, id: string): Promise<SuppressionRow | undefined> {
  return trx
    .selectFrom('suppressions')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Removes a suppression; it stays among the changes for a while. */
export async function removeSuppression(trx: Db, id: string, deleted_at: Date): Promise<void> {
  const change = sql<string>`nextval('suppression_changes')`;
  await trx.updateTable('suppressions').set({ deleted_at, change }).where('id', '=', id).execute();
}

/** Oldest first; up to `limit` plus one. */
export function listSuppressions(
  db: Db,
  user_id: string,
  phone_number: string | undefined,
  { limit, after }: PageRequest,
) {
  let query = db.selectFrom('suppressions').selectAll().where('user_id', '=', user_id).where('deleted_at', 'is', null);
  if (phone_number !== undefined) query = query.where('phone_number', '=', phone_number);
  if (after !== null) query = query.where('id', '>', after);
  return query
    .orderBy('id')
    .limit(limit + 1)
    .execute();
}

/** Those that were added, replaced or removed after the change `after`, in order. */
export function listChanges(db: Db, user_id: string, after: string, limit: number): Promise<SuppressionRow[]> {
  const query = db.selectFrom('suppressions').selectAll().where('user_id', '=', user_id);
  return query.where('change', '>', after).orderBy('change').limit(limit).execute();
}

/** Forgets up to `limit` of those that were removed before `before`, and of those that expired before it. */
export async function forgetOver(db: Db, before: Date, limit: number): Promise<void> {
  const moment = sql`${before.toISOString()}::timestamptz`;
  // A removal stays among the changes for its time, whenever it would have expired.
  for (const isOver of [
    sql<boolean>`deleted_at < ${moment}`,
    sql<boolean>`deleted_at is null and expires_at < ${moment}`,
  ]) {
    // Locked: one that is being added anew is over no more.
    const old = db.selectFrom('suppressions').select('id').where(isOver).limit(limit).forUpdate().skipLocked();
    const forgetting = db.with('old', () => old).deleteFrom('suppressions');
    await forgetting.where('id', 'in', (row) => row.selectFrom('old').select('id')).execute();
  }
}

/** Leaves the hashes of up to `limit` of the user's numbers, so that they stay blocked; returns their number. */
export async function blankSuppressions(db: Db, user_id: string, limit: number): Promise<number> {
  const some = db
    .selectFrom('suppressions')
    .select('id')
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null);
  const { numUpdatedRows } = await db
    .updateTable('suppressions')
    .set({ user_id: null, phone_number: null, call_id: null, transcript_id: null })
    .where('id', 'in', some.orderBy('id').limit(limit))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes up to `limit` consents of the user; returns their number. */
export async function deleteSomeConsents(db: Db, user_id: string, limit: number): Promise<number> {
  const some = db.selectFrom('consents').select('id').where('user_id', '=', user_id).orderBy('id').limit(limit);
  return Number((await db.deleteFrom('consents').where('id', 'in', some).executeTakeFirst()).numDeletedRows);
}

/** Deletes the user's suppressions that were removed. */
export async function deleteRemoved(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('suppressions').where('user_id', '=', user_id).where('deleted_at', 'is not', null).execute();
}

export async function insertConsents(trx: Db, rows: ConsentRow[]): Promise<void> {
  await sql`
    insert into consents (id, user_id, phone_number, purpose, kind, text, obtained_at, channel, evidence_url, created_at, revoked_at)
    select id, user_id, phone_number, purpose, kind, text, obtained_at, channel, evidence_url, created_at, revoked_at
    from json_populate_recordset(null::consents, ${JSON.stringify(rows)}::text::json)`.execute(trx);
}

export function findConsent(trx: Db, id: string): Promise<ConsentRow | undefined> {
  return trx.selectFrom('consents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function revokeConsent(trx: Db, id: string, revoked_at: Date): Promise<void> {
  await trx.updateTable('consents').set({ revoked_at }).where('id', '=', id).where('revoked_at', 'is', null).execute();
}

/** Newest first; with `obtained_by` only those obtained until then. */
export function listConsents(
  db: Db,
  user_id: string,
  phone_number: string | undefined,
  { limit, after }: PageRequest,
  obtained_by?: Date,
) {
  let query = db.selectFrom('consents').selectAll().where('user_id', '=', user_id);
  if (phone_number !== undefined) query = query.where('phone_number', '=', phone_number);
  if (after !== null) query = query.where('id', '<', after);
  if (obtained_by !== undefined) query = query.where('obtained_at', '<=', obtained_by);
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}
