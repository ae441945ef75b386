import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Work } from '../../work/work.ts';
import { endOf, viewRun } from './results.ts';
import {
  type EndedResult,
  endOpenResults,
  endResult,
  lockRun,
  openResultsOf,
  type RunRow,
  updateRun,
} from './store.ts';

/** The kind of work that holds the conversations of one scenario, under the id of its result. */
export const SCENARIO = 'scenario';

interface Deps {
  clock: Clock;
  work: Work;
  callbacks: Callbacks;
}

export type Ending = ReturnType<typeof createEnding>;

/** Ends test runs, and reports that. */
export function createEnding({ clock, work, callbacks }: Deps) {
  /** Stores a result; the last one ends its run, which is locked. */
  async function settle(trx: Db, id: string, run_id: string, result: EndedResult): Promise<void> {
    const run = await endResult(trx, id, run_id, result);
    if (run.passed + run.failed + run.invalid === run.scenarios) await finish(trx, run, endOf(run));
  }

  /** Ends what is left of an open run, which is locked. */
  async function abandon(trx: Db, run: RunRow, status: 'invalid' | 'canceled', error: string | null): Promise<RunRow> {
    const count = await endOpenResults(trx, run.id, { status, error, ended_at: clock.now() });
    const invalid = run.invalid + (status === 'invalid' ? count : 0);
    return finish(trx, { ...run, invalid }, status === 'canceled' ? status : endOf({ ...run, invalid }));
  }

  async function finish(trx: Db, { id, invalid }: RunRow, status: RunRow['status']): Promise<RunRow> {
    const ended = await updateRun(trx, id, { status, invalid, ended_at: clock.now() });
    await callbacks.enqueueForUser(trx, 'test_run.finished', ended, viewRun(ended));
    return ended;
  }

  /** Ends a run unless it has ended, and returns it; undefined if there is none. */
  async function stop(
    trx: Db,
    id: string,
    status: 'invalid' | 'canceled',
    error: string | null,
  ): Promise<RunRow | undefined> {
    // Work before runs: in the order in which those who hold work lock them.
    await work.withdraw(trx, SCENARIO, await openResultsOf(trx, [id]));
    const run = await lockRun(trx, id);
    return run && !run.ended_at ? abandon(trx, run, status, error) : run;
  }

  return { settle, stop };
}
