import type { Database } from '../../db/database.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
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

/** Whether a request with this key has been answered. */
export async function isAnswered(db: Db, idempotency: Idempotency): Promise<boolean> {
  return (await findAnswers(db, [idempotency])).size > 0;
}

/** A request, the user that its response is about, and its idempotency key, if any. */
export interface Repeatable {
  user_id: string;
  idempotency: Idempotency | null;
}

/**
 * Runs `effect` in a transaction, once per key: the response is stored in the same transaction, and returned again to
 * repeated requests for 24 hours. `first` is true if the effect ran now. Throws `idempotency_in_progress` while
 * another request with the key is in progress, and `InvalidFields` if the key was used for another request. An error
 * that `effect` throws rolls back its writes; one that it returns is thrown after the commit, and not stored.
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
 * The same for many requests in one transaction: `effect` gets those to run, and returns a response or an error for
 * each. It must be a single statement: if no request has a key, that is the whole transaction.
 */
export async function onceEach<R extends Repeatable, T>(
  db: Database['db'],
  requests: R[],
  effect: (db: Db, unanswered: R[]) => Promise<(T | Error)[]>,
): Promise<(Done<T> | Error)[]> {
  return hasKeys(requests) ? onceEachInTransaction(db, requests, effect) : (await effect(db, requests)).map(toResult);
}

/** The same for an effect of several statements, always in a transaction. */
export function onceEachInTransaction<R extends Repeatable, T>(
  db: Database['db'],
  requests: R[],
  effect: (trx: Db, unanswered: R[]) => Promise<(T | Error)[]>,
): Promise<(Done<T> | Error)[]> {
  return db
    .transaction()
    .execute(async (trx) =>
      hasKeys(requests) ? onceEachIn(trx, requests, effect) : (await effect(trx, requests)).map(toResult),
    );
}

function hasKeys(requests: Repeatable[]): boolean {
  return requests.some(({ idempotency }) => idempotency !== null);
}

/** A response, and whether its effect ran now. */
interface Done<T> {
  answer: T;
  first: boolean;
}

function toResult<T>(answer: T | Error): Done<T> | Error {
  return answer instanceof Error ? answer : { answer, first: true };
}

/** The same in an open transaction, for requests of which some have keys. */
async function onceEachIn<R extends Repeatable, T>(
  trx: Db,
  requests: R[],
  effect: (trx: Db, unanswered: R[]) => Promise<(T | Error)[]>,
): Promise<(Done<T> | Error)[]> {
  const claimed = await claim<T>(trx, requests);
  const unanswered = requests.filter((_request, index) => claimed[index] === undefined);
  if (unanswered.length === 0) return claimed as (Done<T> | Error)[];
  const answers = await effect(trx, unanswered);
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

/** The stored responses and the refusals; undefined for requests to run. The locks last until the transaction ends. */
async function claim<T>(trx: Db, requests: Repeatable[]): Promise<(Done<T> | Error | undefined)[]> {
  const keys = requests.flatMap(({ idempotency }) => idempotency ?? []);
  const locked = await lockNames(trx, [...new Set(keys.map(nameOf))]);
  const stored = await findAnswers(trx, keys);
  const seen = new Set<string>();
  return requests.map(({ idempotency }) => {
    if (!idempotency) return undefined;
    const name = nameOf(idempotency);
    const found = stored.get(name);
    if (!found) {
      // Another request holds the lock, or precedes this one in the batch.
      if (!locked.has(name) || seen.has(name)) return new AppError('idempotency_in_progress');
      seen.add(name);
      return undefined;
    }
    // A stored response is final: repeated requests may read it concurrently, under the lock.
    if (idempotency.fingerprint.matches(found.fingerprint)) return { answer: found.answer as T, first: false };
    const msg = 'This key was used for another request';
    return new InvalidFields({ field: 'idempotency-key', msg, type: 'value_error', input: idempotency.key });
  });
}
