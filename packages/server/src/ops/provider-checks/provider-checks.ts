import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Platform } from '../../platform.ts';
import type { Workers } from '../../providers/workers.ts';
import type { TaskKind } from '../../work/tasks.ts';
import { type ProviderCheckCreate, ProviderCheckResult, providerProblem } from './schema.ts';
import { claimCheck, deleteCheck, deleteOldChecks, findCheck, insertCheck, saveResult } from './store.ts';

export type ProviderChecks = ReturnType<typeof createProviderChecks>;

const PROVIDER_CHECK = 'provider_check';
/** Workers that wait for tasks get one within a second. */
const CLAIM_MS = 5_000;
/** Longer than a worker waits for a provider. */
const CHECK_MS = 30_000;
const EVERY_MS = 200;
/** A failed task does not name its worker. */
const GIVEN_UP = { outcome: 'failed', reason: 'error', latency_ms: null, worker: 'unknown' } as const;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  workers: Workers;
}

/** Checks of models and their keys, which workers have. */
export function createProviderChecks({ db, clock, work, workers }: Deps) {
  const stopping = new AbortController();

  /** Has a worker ask a model. Throws `no_worker`, and `InvalidFields`. */
  async function check(asked: ProviderCheckCreate) {
    const problem = providerProblem(asked);
    if (problem) throw new InvalidFields(problem);
    if (workers.checkModel) return { ...workers.checkModel(), is_simulated: true };
    const id = newId();
    await db.transaction().execute(async (trx) => {
      await insertCheck(trx, id, asked);
      await work.add(trx, [{ kind: PROVIDER_CHECK, key: id }]);
    });
    try {
      return { ...(await resultOf(id)), is_simulated: false };
    } finally {
      await db.transaction().execute(async (trx) => {
        await work.withdraw(trx, PROVIDER_CHECK, [id]);
        await deleteCheck(trx, id);
      });
    }
  }

  async function resultOf(id: string): Promise<ProviderCheckResult> {
    const begun = performance.now();
    for (;;) {
      const { isClaimed, result } = await findCheck(db, id);
      if (result) return result;
      const isLate = performance.now() - begun > (isClaimed ? CHECK_MS : CLAIM_MS);
      if (isLate || stopping.signal.aborted) throw new AppError('no_worker');
      await clock.sleep(EVERY_MS, stopping.signal).catch(() => {});
    }
  }

  const kind = {
    result: ProviderCheckResult,
    leaseMs: CHECK_MS,
    maxAttempts: 1,
    describe: async (id) => (await claimCheck(db, id, clock.now())) ?? null,
    complete: (trx: Db, id, result) => saveResult(trx, id, result as ProviderCheckResult),
    // The answer to the request that waits.
    giveUp: (trx, id, { error, detail }) => saveResult(trx, id, { ...GIVEN_UP, detail: detail ?? error }),
  } satisfies TaskKind;

  return {
    check,
    taskKinds: { [PROVIDER_CHECK]: kind },
    deleteOlder: (before: string, limit: number) => deleteOldChecks(db, before, limit),
    stop: (): void => stopping.abort(),
  };
}
