import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';

export type Transfer = Selectable<Tables['transfers']>;

/** Begins a transfer; undefined while another of the session is under way. */
export function insertTransfer(db: Db, transfer: Insertable<Tables['transfers']>): Promise<Transfer | undefined> {
  return db
    .insertInto('transfers')
    .values(transfer)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Changes a transfer that is in the state `from`; undefined when it is not. */
export function moveTransfer(
  db: Db,
  id: string,
  from: Transfer['status'],
  change: Updateable<Tables['transfers']>,
): Promise<Transfer | undefined> {
  return db
    .updateTable('transfers')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst();
}

/** The transfer of a session that is under way, if any. */
export function findTransferUnderWay(db: Db, session_id: string): Promise<Transfer | undefined> {
  return db
    .selectFrom('transfers')
    .selectAll()
    .where('session_id', '=', session_id)
    .where('status', 'in', ['pending', 'connected'])
    .executeTakeFirst();
}

export function listTransfers(db: Db, session_id: string): Promise<Transfer[]> {
  return db.selectFrom('transfers').selectAll().where('session_id', '=', session_id).orderBy('id').execute();
}

/** Transfers that have been pending since before `before`: their process is gone. */
export function listStaleTransfers(db: Db, before: Date): Promise<Transfer[]> {
  return db
    .selectFrom('transfers')
    .selectAll()
    .where('status', '=', 'pending')
    .where('updated_at', '<', before)
    .execute();
}
