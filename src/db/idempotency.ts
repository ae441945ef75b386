import { sql } from 'kysely';
import { AppError, InvalidRequest } from '../lib/errors.ts';
import type { Database } from './database.ts';
import type { Db } from './tables.ts';

/** A request that may be sent again: its key, within what the key is unique, and a digest of what it asks for. */
export interface Idempotency {
  scope: string;
  key: string;
  fingerprint: string;
}

const KEPT = sql`interval '24 hours'`;

/**
 * Does `effect` in a transaction, once for each key: the answer is stored in that very transaction, and given again to whoever
 * repeats the request within 24 hours. `user_id` is whom the answer is about. `first` tells whether the effect was done now. Throws `idempotency_in_progress` while another
 * request with the key is under way, and `InvalidRequest` when the key was used for another request.
 */
export async function once<T>(
  db: Database['db'],
  user_id: string,
  idempotency: Idempotency | null,
  effect: (trx: Db) => Promise<T>,
): Promise<{ answer: T; first: boolean }> {
  return db.transaction().execute(async (trx) => {
    const stored = idempotency && (await claim<T>(trx, idempotency));
    if (stored) return { answer: stored, first: false };
    const answer = await effect(trx);
    if (idempotency) await store(trx, user_id, idempotency, answer);
    return { answer, first: true };
  });
}

/** The stored answer; null when this request is the first. The lock lasts as long as the transaction. */
async function claim<T>(trx: Db, { scope, key, fingerprint }: Idempotency): Promise<T | null> {
  const { rows } = await sql<{
    locked: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${`${scope} ${key}`}, 0)) as locked`.execute(trx);
  if (!rows[0]?.locked) throw new AppError('idempotency_in_progress');
  const found = await trx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'answer'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('created_at', '>', sql<Date>`now() - ${KEPT}`)
    .executeTakeFirst();
  if (!found) return null;
  if (found.fingerprint === fingerprint) return found.answer as T;
  const msg = 'This key was used for another request';
  throw new InvalidRequest([{ loc: ['header', 'idempotency-key'], msg, type: 'value_error', input: key }]);
}

async function store(
  trx: Db,
  user_id: string,
  { scope, key, fingerprint }: Idempotency,
  answer: unknown,
): Promise<void> {
  const row = { user_id, fingerprint, answer: JSON.stringify(answer), created_at: sql<Date>`now()` };
  await trx
    .insertInto('idempotency_keys')
    .values({ scope, key, ...row })
    .onConflict((conflict) => conflict.columns(['scope', 'key']).doUpdateSet(row)) // One that has run out.
    .execute();
}

/** Replaces the stored answer by what was answered in the end, where that was not known in the transaction. */
export async function amendAnswer(db: Db, idempotency: Idempotency | null, answer: unknown): Promise<void> {
  if (!idempotency) return;
  const { scope, key } = idempotency;
  await db
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .execute();
}

/** Forgets the answers that are about a user. */
export async function forgetAnswersOf(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('user_id', '=', user_id).execute();
}

/** Forgets the answers that are not given again any more. */
export async function forgetAnswers(db: Db): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', sql<Date>`now() - ${KEPT}`).execute();
}
