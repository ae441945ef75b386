import type { Selectable } from 'kysely';
import { lockHolds } from '../../db/legal-holds.ts';
import type { Db, Tables } from '../../db/tables.ts';

export type Erasure = Selectable<Tables['erasures']>;

/** Begins an erasure of the user; undefined while one is in progress. */
export function insertErasure(
  db: Db,
  erasure: { pseudonym: string; user_id: string; requested_at: Date },
): Promise<Erasure | undefined> {
  return db
    .insertInto('erasures')
    .values(erasure)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** The user's erasure in progress. */
export function findErasure(db: Db, user_id: string): Promise<Erasure | undefined> {
  return db.selectFrom('erasures').selectAll().where('user_id', '=', user_id).executeTakeFirst();
}

export async function isUserHeld(db: Db, user_id: string): Promise<boolean> {
  const query = db.selectFrom('legal_holds').select('user_id').where('user_id', '=', user_id);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Sets or lifts the hold of a user; returns whether it was held. */
export async function setHold(trx: Db, user_id: string, since: Date | null): Promise<boolean> {
  await lockHolds(trx);
  if (since === null) {
    const { numDeletedRows } = await trx.deleteFrom('legal_holds').where('user_id', '=', user_id).executeTakeFirst();
    return numDeletedRows > 0n;
  }
  const added = trx.insertInto('legal_holds').values({ user_id, since });
  const { numInsertedOrUpdatedRows } = await added.onConflict((one) => one.doNothing()).executeTakeFirst();
  return Number(numInsertedOrUpdatedRows) === 0;
}

/** When the erasure was finished; null while it is in progress. */
export async function finishedAt(db: Db, pseudonym: string): Promise<Date | null> {
  const query = db.selectFrom('erasures').select('finished_at').where('pseudonym', '=', pseudonym);
  return (await query.executeTakeFirst())?.finished_at ?? null;
}

/** The erasure, locked until the transaction ends. */
export function lockErasure(trx: Db, pseudonym: string): Promise<Erasure> {
  const query = trx.selectFrom('erasures').selectAll().where('pseudonym', '=', pseudonym);
  return query.forUpdate().executeTakeFirstOrThrow();
}

/** The user that is being erased; null once that is done. */
export async function userOf(db: Db, pseudonym: string): Promise<string | null> {
  const query = db.selectFrom('erasures').select('user_id').where('pseudonym', '=', pseudonym);
  return (await query.executeTakeFirst())?.user_id ?? null;
}

/** Deletes the link between user and pseudonym. */
export async function finishErasure(db: Db, pseudonym: string, finished_at: Date): Promise<void> {
  await db.updateTable('erasures').set({ user_id: null, finished_at }).where('pseudonym', '=', pseudonym).execute();
}
