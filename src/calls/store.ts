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

export async function deleteTransfersOf(db: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0) await db.deleteFrom('transfers').where('session_id', 'in', session_ids).execute();
}

type Allowance = Omit<Selectable<Tables['call_allowances']>, 'user_id'>;

/** What a user may still call, locked until the transaction ends; `fresh` for one who has never called. */
export function lockAllowance(trx: Db, user_id: string, fresh: Allowance): Promise<Allowance> {
  return trx
    .insertInto('call_allowances')
    .values({ user_id, ...fresh })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((row) => ({ user_id: row.ref('excluded.user_id') })),
    )
    .returning(['tokens', 'refilled_at', 'day', 'calls'])
    .executeTakeFirstOrThrow();
}

export async function deleteAllowance(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('call_allowances').where('user_id', '=', user_id).execute();
}

export async function saveAllowance(trx: Db, user_id: string, allowance: Allowance): Promise<void> {
  await trx.updateTable('call_allowances').set(allowance).where('user_id', '=', user_id).execute();
}
