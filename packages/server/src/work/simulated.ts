import type { Database } from '../db/database.ts';
import type { Db } from '../db/tables.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Kind, Kinds } from './kinds.ts';
import { NEEDLESS, type TaskKind } from './tasks.ts';
import type { Work } from './work.ts';

/** Stands for the lease of a worker. */
const LEASE = 1;

interface Deps {
  db: Database['db'];
  work: Work;
}

interface Simulated<Payload> extends Omit<TaskKind, 'describe'> {
  describe(key: string): Promise<Payload | null>;
}

/** The outcome of a task. */
interface Answer {
  result: unknown;
  /** Partial results, stored before it. */
  events?: JsonObject[];
  /** Writes what else belongs into the transaction that ends the task. */
  also?(trx: Db): Promise<unknown>;
}

/**
 * Has this process do the tasks of a kind, for providers whose workers are simulated. A task is given up if it needs
 * not be done any more, or if `answer` throws: it would do so again.
 */
export function simulate<Payload>(
  { db, work }: Deps,
  name: string,
  kind: Simulated<Payload>,
  answer: (payload: Payload) => Answer | Promise<Answer>,
  concurrency: number,
): Kinds {
  const run: Kind['run'] = async ({ key }) => {
    const payload = await kind.describe(key);
    const answered = payload === null ? new Error(NEEDLESS) : await attempt(() => answer(payload));
    await db.transaction().execute(async (trx) => {
      if (payload !== null) await kind.lock?.(trx, key);
      if (!(await work.withdraw(trx, name, [key]))) return;
      if (answered instanceof Error) await kind.giveUp?.(trx, key, { error: answered.message });
      else await end(trx, kind, key, answered);
    });
    return null;
  };
  return { [name]: { run, concurrency } };
}

async function attempt(answer: () => Answer | Promise<Answer>): Promise<Answer | Error> {
  try {
    return await answer();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function end(
  trx: Db,
  { partial, complete }: Pick<TaskKind, 'partial' | 'complete'>,
  key: string,
  { result, events, also }: Answer,
): Promise<void> {
  if (events) await partial?.report(trx, key, LEASE, events);
  await complete(trx, key, result, LEASE);
  await also?.(trx);
}
