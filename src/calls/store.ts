import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';

export type Transfer = Selectable<Tables['transfers']>;

/** Begins a transfer. The caller holds the session's lock and has seen that no other is under way. */
export function insertTransfer(db: Db, transfer: Insertable<Tables['transfers']>): Promise<Transfer> {
  return db.insertInto('transfers').values(transfer).returningAll().executeTakeFirstOrThrow();
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

/** The transfers of these sessions that are under way, or whose target may still be in the room. */
export function findUnfinishedTransfers(db: Db, session_ids: string[]): Promise<Transfer[]> {
  return db
    .selectFrom('transfers')
    .selectAll()
    .where('session_id', 'in', session_ids)
    .where((row) =>
      row.or([
        row('status', 'in', ['pending', 'connected']),
        row.and([row('transfer_type', '=', 'WARM'), row('phones', '>', 0)]),
      ]),
    )
    .execute();
}

/** Stops counting the phones of a transfer as calls of its user. */
export async function releasePhones(db: Db, transfer_id: string): Promise<void> {
  await db.updateTable('transfers').set({ phones: 0 }).where('id', '=', transfer_id).execute();
}

/** How often a session was transferred, attempts included, and how many targets may be in its room. */
export function countTransfers(db: Db, session_id: string, now: Date): Promise<{ attempts: number; targets: number }> {
  return db
    .selectFrom('transfers')
    .select((row) => [
      row.fn.countAll<number>().as('attempts'),
      row.fn
        .countAll<number>()
        .filterWhere('transfer_type', '=', 'WARM')
        .filterWhere('phones', '>', 0)
        .filterWhere('counted_until', '>', now)
        .as('targets'),
    ])
    .where('session_id', '=', session_id)
    .executeTakeFirstOrThrow();
}

/**
 * How many phones that were dialled for the user may be connected: those of outbound calls that have not ended, and of
 * transfers.
 */
export async function countPhones(db: Db, user_id: string, now: Date): Promise<number> {
  const { rows } = await sql<{ phones: number }>`
    select (
      (select count(*) from sessions
        where user_id = ${user_id} and status in ('CREATED', 'ACTIVE') and call_direction = 'OUTBOUND')
      + (select coalesce(sum(phones), 0) from transfers
        where user_id = ${user_id} and phones > 0 and counted_until > ${now.toISOString()}::timestamptz)
    )::int as phones`.execute(db);
  return rows[0]?.phones ?? 0;
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

export type Allowance = Omit<Selectable<Tables['call_allowances']>, 'user_id'>;

/** The user's allowance, locked until the transaction ends; `fresh` for a user who has never called. */
export async function lockAllowance(trx: Db, user_id: string, fresh: Allowance): Promise<Allowance> {
  return (
    trx
      .insertInto('call_allowances')
      .values({ user_id, ...fresh })
      // An update that changes nothing: it returns the row, and locks it.
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id }))
      .returning(['tokens', 'refilled_at', 'day', 'calls'])
      .executeTakeFirstOrThrow()
  );
}

export async function deleteAllowance(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('call_allowances').where('user_id', '=', user_id).execute();
}

/** Writes the user's allowance, whose row is locked. */
export async function saveAllowance(trx: Db, user_id: string, allowance: Allowance): Promise<void> {
  await trx.updateTable('call_allowances').set(allowance).where('user_id', '=', user_id).execute();
}

export async function insertStreamToken(db: Db, token: Insertable<Tables['stream_tokens']>): Promise<void> {
  await db.insertInto('stream_tokens').values(token).execute();
}

export function findStreamToken(db: Db, token_hash: string): Promise<Selectable<Tables['stream_tokens']> | undefined> {
  return db.selectFrom('stream_tokens').selectAll().where('token_hash', '=', token_hash).executeTakeFirst();
}

export async function deleteExpiredStreamTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('stream_tokens').where('expires_at', '<', now).execute();
}

export async function deleteStreamTokensOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('stream_tokens').where('user_id', '=', user_id).execute();
}
