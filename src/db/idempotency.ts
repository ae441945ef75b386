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

/** A request, whom its answer is about, and what makes it repeatable, if anything does. */
export interface Repeatable {
  user_id: string;
  idempotency: Idempotency | null;
}

const KEPT = sql`interval '24 hours'`;

/**
 * Does `effect` in a transaction, once for each key: the answer is stored in that very transaction, and given again to
 * whoever repeats the request within 24 hours. `first` tells whether the effect was done now. Throws
 * `idempotency_in_progress` while another request with the key is under way, and `InvalidRequest` when the key was used
 * for another request. An error that `effect` throws undoes what it has written; one that it returns is thrown after
 * the commit, and not stored.
 */
export async function once<T>(
  db: Database['db'],
  user_id: string,
  idempotency: Idempotency | null,
  effect: (trx: Db) => Promise<T | Error>,
): Promise<Done<T>> {
  const [result] = await db
    .transaction()
    .execute((trx) => onceEachIn<Repeatable, T>(trx, [{ user_id, idempotency }], async () => [await effect(trx)]));
  if (!result) throw new AppError('internal_error');
  if (result instanceof Error) throw result;
  return result;
}

/**
 * The same for many requests in one transaction: `effect` is given those that are to be done, and gives an answer or an
 * error for each. It must be one statement: where no request has a key, that is the whole transaction.
 */
export async function onceEach<R extends Repeatable, T>(
  db: Database['db'],
  requests: R[],
  effect: (db: Db, undone: R[]) => Promise<(T | Error)[]>,
): Promise<(Done<T> | Error)[]> {
  if (requests.some(({ idempotency }) => idempotency !== null))
    return db.transaction().execute((trx) => onceEachIn(trx, requests, (undone) => effect(trx, undone)));
  return (await effect(db, requests)).map(toResult);
}

/** An answer, and whether its effect was done now. */
interface Done<T> {
  answer: T;
  first: boolean;
}

function toResult<T>(answer: T | Error): Done<T> | Error {
  return answer instanceof Error ? answer : { answer, first: true };
}

/** The same in a transaction that is open. */
async function onceEachIn<R extends Repeatable, T>(
  trx: Db,
  requests: R[],
  effect: (undone: R[]) => Promise<(T | Error)[]>,
): Promise<(Done<T> | Error)[]> {
  const claimed = await claim<T>(trx, requests);
  const undone = requests.filter((_request, index) => claimed[index] === undefined);
  if (undone.length === 0) return claimed as (Done<T> | Error)[];
  const answers = await effect(undone);
  await store(
    trx,
    undone.flatMap(({ user_id, idempotency }, index) => {
      const answer = answers[index];
      return idempotency && !(answer instanceof Error) ? [{ ...idempotency, user_id, answer }] : [];
    }),
  );
  const results = answers.map(toResult)[Symbol.iterator]();
  return claimed.map((known) => known ?? (results.next().value as Done<T> | Error));
}

/** The stored answers and the refusals; undefined for what is to be done. The locks last as long as the transaction. */
async function claim<T>(trx: Db, requests: Repeatable[]): Promise<(Done<T> | Error | undefined)[]> {
  const keys = requests.flatMap(({ idempotency }) => idempotency ?? []);
  if (keys.length === 0) return requests.map(() => undefined);
  const locked = await lock(trx, [...new Set(keys.map(nameOf))]);
  const stored = await findAnswers(trx, keys);
  const seen = new Set<string>();
  return requests.map(({ idempotency }) => {
    if (!idempotency) return undefined;
    const name = nameOf(idempotency);
    const found = stored.get(name);
    if (!found) {
      // Somebody else has the lock, or is in the same round before this one.
      if (!locked.has(name) || seen.has(name)) return new AppError('idempotency_in_progress');
      seen.add(name);
      return undefined;
    }
    // An answer that is stored is final: others may be repeating it at the same time, under the lock.
    if (found.fingerprint === idempotency.fingerprint) return { answer: found.answer as T, first: false };
    const msg = 'This key was used for another request';
    return new InvalidRequest([
      { loc: ['header', 'idempotency-key'], msg, type: 'value_error', input: idempotency.key },
    ]);
  });
}

async function lock(trx: Db, names: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string; locked: boolean }>`
    select name, pg_try_advisory_xact_lock(hashtextextended(name, 0)) as locked from unnest(${names}::text[]) as keys (name)`.execute(
    trx,
  );
  return new Set(rows.flatMap(({ name, locked }) => (locked ? [name] : [])));
}

async function findAnswers(trx: Db, keys: Idempotency[]) {
  const { rows } = await sql<{ scope: string; key: string; fingerprint: string; answer: unknown }>`
    select stored.scope, stored.key, fingerprint, answer from idempotency_keys as stored
    join unnest(${keys.map(({ scope }) => scope)}::text[], ${keys.map(({ key }) => key)}::text[]) as asked (scope, key)
      on asked.scope = stored.scope and asked.key = stored.key
    where created_at > now() - ${KEPT}`.execute(trx);
  return new Map(rows.map((row) => [nameOf(row), row]));
}

/** Users and keys may have spaces: only with the quotes no two have the same. */
function nameOf({ scope, key }: { scope: string; key: string }): string {
  return JSON.stringify([scope, key]);
}

async function store(trx: Db, answers: (Idempotency & { user_id: string; answer: unknown })[]): Promise<void> {
  if (answers.length === 0) return;
  await trx
    .insertInto('idempotency_keys')
    .values(
      answers.map(({ answer, ...row }) => ({ ...row, answer: JSON.stringify(answer), created_at: sql<Date>`now()` })),
    )
    .onConflict((conflict) =>
      // One that has run out.
      conflict.columns(['scope', 'key']).doUpdateSet((row) => ({
        user_id: row.ref('excluded.user_id'),
        fingerprint: row.ref('excluded.fingerprint'),
        answer: row.ref('excluded.answer'),
        created_at: row.ref('excluded.created_at'),
      })),
    )
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
