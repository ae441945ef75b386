import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { JsonObject } from '../../lib/json.ts';

export async function findPrivacy(db: Db, user_id: string): Promise<JsonObject | null> {
  const query = db.selectFrom('user_privacy').select('rules').where('user_id', '=', user_id);
  return (await query.executeTakeFirst())?.rules ?? null;
}

/** Makes other changes of it wait until the transaction ends. */
export async function lockPrivacy(trx: Db, user_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`privacy of ${user_id}`}, 0))`.execute(trx);
}

export async function savePrivacy(trx: Db, user_id: string, privacy: JsonObject): Promise<void> {
  const rules = JSON.stringify(privacy);
  const added = trx.insertInto('user_privacy').values({ user_id, rules });
  await added.onConflict((one) => one.column('user_id').doUpdateSet({ rules })).execute();
}

export async function deletePrivacy(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('user_privacy').where('user_id', '=', user_id).execute();
}
