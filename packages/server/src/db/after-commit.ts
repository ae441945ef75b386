import type { Db } from './tables.ts';

const waiting = new WeakMap<Db, (() => void)[]>();

/** Calls `then` once the transaction has committed, and never if it is rolled back; at once outside a transaction. */
export function afterCommit(trx: Db, then: () => void): void {
  const calls = waiting.get(trx);
  if (calls) calls.push(then);
  else then();
}

/** Runs a transaction with `execute`, and after it what its function has left to `afterCommit`. */
export async function runTransaction<T, R>(
  execute: (work: (trx: T) => Promise<R>) => Promise<R>,
  work: (trx: T) => Promise<R>,
): Promise<R> {
  const calls: (() => void)[] = [];
  const result = await execute((trx) => {
    waiting.set(trx as Db, calls);
    return work(trx);
  });
  for (const call of calls) call();
  return result;
}
