import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';

export type Callback = Selectable<Tables['callbacks']>;

export async function insertCallback(db: Db, callback: Insertable<Tables['callbacks']>): Promise<void> {
  await db.insertInto('callbacks').values(callback).execute();
}

export function findCallback(db: Db, id: string): Promise<Callback | undefined> {
  return db.selectFrom('callbacks').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function updateCallback(db: Db, id: string, change: Updateable<Tables['callbacks']>): Promise<void> {
  await db.updateTable('callbacks').set(change).where('id', '=', id).execute();
}

/** The user's signing secret; `fresh` becomes it when there is none yet. */
export async function ensureSecret(db: Db, user_id: string, fresh: string, created_at: Date): Promise<string> {
  await db
    .insertInto('callback_secrets')
    .values({ user_id, secret: fresh, created_at })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
  const row = await db
    .selectFrom('callback_secrets')
    .select('secret')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return row.secret;
}
