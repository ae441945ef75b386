import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import { AppError, InvalidFields } from '../../lib/errors.ts';
import {
  amendAnswer,
  findAnswers,
  forgetAnswers,
  forgetAnswersOf,
  type Idempotency,
  lockNames,
  nameOf,
  storeAnswers,
} from './store.ts';

export { amendAnswer, forgetAnswers, forgetAnswersOf, type Idempotency };

/** A request, whom its answer is about, and what makes it repeatable, if anything does. */
export interface Repeatable {
  user_id: string;
  idempotency: Idempotency | null;
}

/**
 * Does `effect` in a transaction, once for each key: the answer is stored in that very transaction, and given again to
 * whoever repeats the request within 24 hours. `first` tells whether the effect was done now. Throws
 * `idempotency_in_progress` while another request with the key is under way, and `InvalidFields` when the key was used
 * for another request. An error that `effect` throws undoes what it has written; one that it returns is thrown after
 * the commit, and not stored.
 */
export async function once<T>(
  db: Database['db'],
  user_id: string,
  idempotency: Idempotency | null,
  effect: (trx: Db) => Promise<T | Error>,
): Promise<Done<T>> {
  const [result] = await onceEachInTransaction<Repeatable, T>(db, [{ user_id, idempotency }], async (trx) => [
    await effect(trx),
  ]);
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
  effect: (db: Db, unanswered: R[]) => Promise<(T | Error)[]>,
): Promise<(Done<T> | Error)[]> {
  if (requests.some(({ idempotency }) => idempotency !== null)) return onceEachInTransaction(db, requests, effect);
  return (await effect(db, requests)).map(toResult);
}

/** The same with an effect of many statements, in a transaction in any case. */
export function onceEachInTransaction<R extends Repeatable, T>(
  db: Database['db'],
  requests: R[],
  effect: (trx: Db, unanswered: R[]) => Promise<(T | Error)[]>,
): Promise<(Done<T> | Error)[]> {
  return db.transaction().execute((trx) => onceEachIn(trx, requests, (unanswered) => effect(trx, unanswered)));
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
  effect: (unanswered: R[]) => Promise<(T | Error)[]>,
): Promise<(Done<T> | Error)[]> {
  const claimed = await claim<T>(trx, requests);
  const unanswered = requests.filter((_request, index) => claimed[index] === undefined);
  if (unanswered.length === 0) return claimed as (Done<T> | Error)[];
  const answers = await effect(unanswered);
  await storeAnswers(
    trx,
    unanswered.flatMap(({ user_id, idempotency }, index) => {
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
  const locked = await lockNames(trx, [...new Set(keys.map(nameOf))]);
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
    return new InvalidFields({ field: 'idempotency-key', msg, type: 'value_error', input: idempotency.key });
  });
}
