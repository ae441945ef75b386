import type { TSchema } from 'typebox';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Platform } from '../../platform.ts';
import type { TaskKind } from '../../work/tasks.ts';
import { claimCheck, deleteCheck, findCheck, insertCheck, saveResult } from './store.ts';

/** Workers that wait for tasks get one within a second. */
const CLAIM_MS = 5_000;
const EVERY_MS = 200;

interface Options {
  /** Under which workers claim it. */
  kind: string;
  result: TSchema;
  /** Longer than a worker takes. */
  withinMs: number;
  /** The result where a worker has given up, and said why. */
  givenUp: (detail: string) => JsonObject;
  stopping: AbortSignal;
}

/** Questions to workers, for which the one who asks waits: a task with one attempt, and nothing of it is kept. */
export function createAsking<Asked extends object, Result>(
  { db, clock, work }: Pick<Platform, 'db' | 'clock' | 'work'>,
  { kind, result, withinMs, givenUp, stopping }: Options,
) {
  /** For a user, or for operators. Throws `no_worker`. */
  async function ask(asked: Asked, user_id?: string): Promise<Result> {
    const id = newId();
    await db.transaction().execute(async (trx) => {
      await insertCheck(trx, id, asked);
      await work.add(trx, [{ kind, key: id, ...(user_id !== undefined && { user_id }) }]);
    });
    try {
      return (await resultOf(id)) as Result;
    } finally {
      await db.transaction().execute(async (trx) => {
        await work.withdraw(trx, kind, [id]);
        await deleteCheck(trx, id);
      });
    }
  }

  async function resultOf(id: string): Promise<JsonObject> {
    const begun = performance.now();
    for (;;) {
      const check = await findCheck(db, id);
      if (check?.result) return check.result;
      const isLate = performance.now() - begun > (check?.isClaimed ? withinMs : CLAIM_MS);
      // An erasure of its user deletes it.
      if (!check || isLate || stopping.aborted) throw new AppError('no_worker');
      await clock.sleep(EVERY_MS, stopping).catch(() => {});
    }
  }

  const taskKind = {
    result,
    leaseMs: withinMs,
    maxAttempts: 1,
    describe: async (id) => (await claimCheck(db, id, clock.now())) ?? null,
    complete: (trx: Db, id, result) => saveResult(trx, id, result as JsonObject),
    // The answer to the request that waits.
    giveUp: (trx, id, { error, detail }) => saveResult(trx, id, givenUp(detail ?? error)),
  } satisfies TaskKind;

  return { ask, taskKind };
}
