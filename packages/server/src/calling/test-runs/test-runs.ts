import { type Idempotency, once } from '../../access/idempotency/idempotency.ts';
import type { Agents } from '../../conversations/agents/agents.ts';
import type { Versions } from '../../conversations/versions/versions.ts';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { idsFrom, isId, newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Workers } from '../../providers/workers.ts';
import type { Choice, ScenarioRow, Scenarios } from '../scenarios/scenarios.ts';
import { type Ending, SCENARIO } from './ending.ts';
import { gate } from './gate.ts';
import { viewResult, viewRun } from './results.ts';
import { MAX_CONVERSATIONS, MAX_OPEN_RUNS } from './schema.ts';
import {
  countOpenRuns,
  deleteOldRuns,
  deleteRunsOf,
  findRun,
  insertRun,
  listResults,
  listRuns,
  listStaleRuns,
  openResultsOf,
  openRunsOf,
  type RunRow,
} from './store.ts';

export { gate };
export type TestRuns = ReturnType<typeof createTestRuns>;

/** A run that no worker has held by then is given up. */
const MAX_AGE_MS = DAY_MS;
const PAGE_SIZE = 100;
const RETRY_AFTER_S = 5;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work' | 'audit'> {
  workers: Workers;
  agents: Agents;
  versions: Versions;
  scenarios: Scenarios;
  ending: Ending;
}

type Chosen = Awaited<ReturnType<Scenarios['suites']['choose']>>;

interface NewRun extends Choice {
  agent_id: string;
  agent_version: number | 'draft';
  runs?: number | undefined;
}

/** Test runs: scenarios, held with one version of an agent. */
export function createTestRuns({ db, clock, work, workers, agents, versions, scenarios, ending }: Deps) {
  const { choose } = scenarios.suites;
  const is_simulated = workers.runScenario !== undefined;

  /**
   * Starts a test run. Throws `not_found` for an unknown agent, `too_many_test_runs`, and `InvalidFields` for a
   * version, a suite or scenarios that there are not.
   */
  async function start(user_id: string, input: NewRun, idempotency: Idempotency | null, actor: Actor) {
    const { agent_id, agent_version } = input;
    const version = agent_version === 'draft' ? await versions.keepDraft(agent_id, user_id, actor) : agent_version;
    const { answer } = await once<{ id: string }>(db, user_id, idempotency, async (trx) => {
      // The lock makes an erasure of the user wait until the run is recorded, or the run find the agent gone.
      const [agent] = await agents.share(trx, [{ id: agent_id, user_id, version }], true);
      if (!agent || agent instanceof Error) return agent ?? new AppError('not_found');
      if ((await countOpenRuns(trx, user_id)) >= MAX_OPEN_RUNS)
        return new AppError('too_many_test_runs', { retry_after_s: RETRY_AFTER_S });
      return add(
        trx,
        { user_id, agent_id: agent.id, agent_version: version },
        await choose(trx, user_id, input),
        input.runs,
      );
    });
    return get(answer.id, user_id);
  }

  /** Records a run of these scenarios, and the work of each. Throws `InvalidFields` for too many conversations. */
  async function add(
    trx: Db,
    of: Pick<RunRow, 'user_id' | 'agent_id' | 'agent_version'>,
    chosen: Chosen,
    runs?: number,
  ) {
    const id = newId();
    const results = chosen.scenarios.map((scenario) => ({
      ...resultOf(scenario, runs),
      run_id: id,
      user_id: of.user_id,
    }));
    assertFew(results);
    // Later than the last change of the suite, so that it is known to be of the suite as it is now.
    const created_at = new Date(Math.max(clock.now().getTime(), (chosen.suite?.changed_at.getTime() ?? 0) + 1));
    const state = { status: 'queued', is_simulated, scenarios: results.length, created_at } as const;
    await insertRun(trx, { id, ...of, suite_id: chosen.suite?.id ?? null, ...state }, results);
    const tasks = results.map((result) => ({ kind: SCENARIO, key: result.id }));
    await work.add(trx, tasks);
    return { id };
  }

  /** Throws `not_found` for an id that is unknown, malformed or another user's. */
  async function find(id: string, caller: string | null): Promise<RunRow> {
    const run = isId(id) ? await findRun(db, id) : undefined;
    if (!run || (caller !== null && run.user_id !== caller)) throw new AppError('not_found');
    return run;
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
    const before = idsFrom(new Date(clock.now().getTime() - MAX_AGE_MS));
    for (const id of await listStaleRuns(db, before, PAGE_SIZE))
      await db.transaction().execute((trx) => ending.stop(trx, id, 'invalid', 'No worker has held it within a day.'));
  }

  async function erase(trx: Db, user_id: string): Promise<void> {
    await work.withdraw(trx, SCENARIO, await openResultsOf(trx, await openRunsOf(trx, user_id)));
    await deleteRunsOf(trx, user_id);
  }

  return {
    start,
    get,
    list,
    results,
    cancel,
    giveUpStale,
    erase,
    /** Deletes up to `limit` ended runs that began before the id `before`; returns their number. */
    deleteOlder: (before: string, limit: number) => deleteOldRuns(db, before, limit),
  };
}

/** A result to come, of a scenario as it is now. */
function resultOf({ id: scenario_id, name, content }: ScenarioRow, wanted: number | undefined) {
  const { runs = 1, critical = false } = JSON.parse(content) as { runs?: number; critical?: boolean };
  const state = { status: 'queued', runs: wanted ?? runs, critical } as const;
  return { id: newId(), scenario_id, name, content, ...state };
}

/** Throws `InvalidFields` for more conversations than one test run may have. */
function assertFew(results: { runs: number }[]): void {
  const count = results.reduce((sum, { runs }) => sum + runs, 0);
  if (count <= MAX_CONVERSATIONS) return;
  const msg = `Input should have at most ${MAX_CONVERSATIONS} conversations in all, not ${count}`;
  throw new InvalidFields({ field: 'runs', msg, type: 'value_error' });
}
