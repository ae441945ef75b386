import type { Db } from '../../db/tables.ts';

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
