import type { Idempotency } from '../../access/idempotency/idempotency.ts';
import { type Batch, type Deleted, deletedOldest } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { isId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { type Actor, owned } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { type Ending, SCENARIO } from './ending.ts';
import { viewResult, viewRun } from './results.ts';
import { createStarting, type NewRun } from './starting.ts';
import {
  deleteOldRuns,
  deleteRunsOf,
  findRun,
  forgetReplays,
  listReplayed,
  listReplaying,
  listResults,
  listRuns,
  listStaleRuns,
  openResultsOf,
  openRunsOf,
  type RunRow,
} from './store.ts';
import { renameTestUsage } from './usage-store.ts';

export type TestRuns = ReturnType<typeof createTestRuns>;

/** A run that no worker holds for so long is given up. */
const MAX_AGE_MS = DAY_MS;
const PAGE_SIZE = 100;

interface Deps extends Omit<Parameters<typeof createStarting>[0], 'clock'>, Pick<Platform, 'clock'> {
  ending: Ending;
}

/** Test runs: scenarios, held with one version of an agent. */
export function createTestRuns({ db, clock, work, ending, ...others }: Deps) {
  const starting = createStarting({ db, clock, work, ...others });

  /** Starts a test run. Throws as `createStarting` says. */
  async function start(user_id: string, input: NewRun, idempotency: Idempotency | null, actor: Actor) {
    return get(await starting.start(user_id, input, idempotency, actor), user_id);
  }

  /** Replays a call, or a chat. Throws as `createStarting` says. */
  async function replay(...given: Parameters<typeof starting.replay>) {
    return get(await starting.replay(...given), null);
  }

  /** Throws `not_found` for an id that is unknown, malformed or another user's. */
  async function find(id: string, caller: string | null): Promise<RunRow> {
    return owned(isId(id) ? await findRun(db, id) : undefined, caller);
  }

  async function get(id: string, caller: string | null) {
    return viewRun(await find(id, caller));
  }

  async function list(
    user_id: string,
    { agent_id, suite }: { agent_id?: string | undefined; suite?: string | undefined },
    page: PageRequest,
  ) {
    if ([agent_id, suite].some((id) => id !== undefined && !isId(id))) return { items: [], next_cursor: null };
    const rows = await listRuns(db, { user_id, agent_id, suite_id: suite }, page);
    const { items, next_cursor } = toPage(rows, page.limit, ({ id }) => id);
    return { items: items.map(viewRun), next_cursor };
  }

  /** The results of a run, in the order of its scenarios. */
  async function results(id: string, page: PageRequest, caller: string | null) {
    const rows = await listResults(db, (await find(id, caller)).id, page);
    const { items, next_cursor } = toPage(rows, page.limit, (row) => row.id, rows[0]?.found);
    return { items: items.map(viewResult), next_cursor };
  }

  /** Ends a run without the results that it has not; no effect on one that has ended. */
  async function cancel(id: string, caller: string | null) {
    const { id: run_id } = await find(id, caller);
    const ended = await db.transaction().execute((trx) => ending.stop(trx, run_id, 'canceled', null));
    if (!ended) throw new AppError('not_found');
    return viewRun(ended);
  }

  /** Gives up runs whose scenarios no worker has held in a day. */
  async function giveUpStale(): Promise<void> {
    const since = new Date(clock.now().getTime() - MAX_AGE_MS);
    for (const id of await listStaleRuns(db, since, PAGE_SIZE))
      await db.transaction().execute((trx) => ending.stop(trx, id, 'invalid', 'No worker has held it within a day.'));
  }

  /** Deletes what was replayed of these calls; runs that are still at it end. */
  async function forget(trx: Db, call_ids: string[]): Promise<void> {
    if (call_ids.length === 0) return;
    for (const run of await listReplaying(trx, call_ids))
      await ending.stop(trx, run, 'invalid', 'What was said in a call that it replays is no longer kept.');
    await forgetReplays(trx, call_ids);
  }

  /** The same for a batch of old calls. */
  async function forgetOlder(batch: Batch): Promise<Deleted> {
    const call_ids = await listReplayed(db, batch);
    await db.transaction().execute((trx) => forget(trx, call_ids));
    return deletedOldest(call_ids.length, batch);
  }

  /** Costs stay, under the pseudonym, as those of calls do. */
  async function erase(trx: Db, user_id: string, pseudonym: string): Promise<void> {
    await work.withdraw(trx, SCENARIO, await openResultsOf(trx, await openRunsOf(trx, user_id)));
    await deleteRunsOf(trx, user_id);
    await renameTestUsage(trx, user_id, pseudonym);
  }

  return {
    start,
    replay,
    get,
    list,
    results,
    cancel,
    giveUpStale,
    erase,
    forget,
    forgetOlder,
    /** Deletes a batch of the old runs that have ended. */
    deleteOlder: (batch: Batch) => deleteOldRuns(db, batch),
  };
}
