import type { Versions } from '../../conversations/versions/versions.ts';
import type { Database } from '../../db/database.ts';
import { isBudgetSpent } from '../../db/reserves.ts';
import type { Db } from '../../db/tables.ts';
import { modelPricesAt, priceEvents } from '../../ledger/prices/prices.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { TaskKind } from '../../work/tasks.ts';
import type { Cassettes } from '../scenarios/scenarios.ts';
import type { Ending } from './ending.ts';
import { statusOf } from './results.ts';
import { MAX_KEPT_BYTES } from './schema.ts';
import { beginResult, lockOpenResult } from './store.ts';
import { type ScenarioTask, ScenarioTaskResult, USAGE_TYPES } from './task-schema.ts';
import { addTestUsage, type TestUsage } from './usage-store.ts';

const LEASE_MS = 60_000;
const MAX_ATTEMPTS = 3;
/** Why a scenario that nobody has begun has no result. */
const SPENT = 'The user’s monthly budget, which counts test runs, was used up before this scenario started.';

interface Deps {
  db: Database['db'];
  clock: Clock;
  versions: Versions;
  ending: Ending;
  cassettes: Cassettes;
}

/** The task of a worker to hold the conversations of one scenario. */
export function createTestTask({ db, clock, versions, ending, cassettes }: Deps) {
  /** Null once the run has ended, its agent is deleted, or a budget that counts tests is spent, which it then says. */
  async function describe(id: string): Promise<ScenarioTask | null> {
    const begun = await db.transaction().execute((trx) => beginResult(trx, id, clock.now()));
    if (!begun) return null;
    const { id: test_run_id, user_id, agent_id, agent_version } = begun.run;
    // One that was begun by a worker which has died goes on.
    if (begun.started_at === null && (await isBudgetSpent(db, user_id, clock.now(), { countsTests: true }))) {
      await db.transaction().execute((trx) => giveUp(trx, id, { error: SPENT }));
      return null;
    }
    try {
      const { config } = await versions.get(agent_id, agent_version, null);
      const prices = await modelPricesAt(db, USAGE_TYPES, clock.now());
      const { runs, content, run } = begun;
      const of = { test_run_id, user_id, agent_id, agent_version };
      const task = { ...of, config, scenario: JSON.parse(content), runs, ...(prices.length > 0 && { prices }) };
      if (run.cassette === 'passthrough') return task;
      const recorded = run.cassette === 'replay' ? await cassettes.recorded(subjectOf(begun)) : null;
      return { ...task, cassette: { mode: run.cassette, recorded } };
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    }
  }

  /** Throws `lease_lost` if the run has ended meanwhile, and `InvalidFields` for a result that cannot be true. */
  async function complete(trx: Db, id: string, result: ScenarioTaskResult): Promise<void> {
    const open = await lockOpenResult(trx, id);
    if (!open) throw new AppError('lease_lost');
    const { passed, failed, invalid, is_complete } = result;
    if (passed + failed + invalid !== open.runs) throw unfit('counts that sum to the runs');
    const conversations = JSON.stringify(result.conversations);
    if (Buffer.byteLength(conversations) > MAX_KEPT_BYTES)
      throw unfit(`at most ${MAX_KEPT_BYTES} bytes of conversations`);
    if (result.cassette && open.run.cassette === 'record') {
      const { user_id, agent_id, agent_version } = open.run;
      await cassettes.put(trx, { id: subjectOf(open), user_id, agent_id, agent_version }, result.cassette);
    }
    if (result.used) await book(trx, open.run, result.used);
    const kept = { conversations, problems: JSON.stringify(result.problems), is_complete };
    const counts = { passed, failed, invalid, error: null, ended_at: clock.now() };
    await ending.settle(trx, id, open.run.id, { ...kept, ...counts, status: statusOf(result) });
  }

  /** Books usage of a run, by the price book where the worker knows no price. */
  async function book(trx: Db, run: { user_id: string; agent_id: string; agent_version: number }, used: TestUsage[]) {
    const day = clock.now();
    const priced = await priceEvents(
      trx,
      used.map((one) => ({ ...one, created_at: day })),
    );
    if (used.length > 0) await addTestUsage(trx, { ...run, day }, priced);
  }

  /** Ends the result without one, unless it has ended. */
  async function giveUp(trx: Db, id: string, { error }: { error: string }): Promise<void> {
    const open = await lockOpenResult(trx, id);
    if (!open) return;
    const counts = { passed: 0, failed: 0, invalid: open.runs, ended_at: clock.now() };
    const nothing = { conversations: '[]', problems: '[]', is_complete: true };
    await ending.settle(trx, id, open.run.id, { ...nothing, ...counts, error, status: 'invalid' });
  }

  return {
    result: ScenarioTaskResult,
    leaseMs: LEASE_MS,
    maxAttempts: MAX_ATTEMPTS,
    describe,
    complete: (trx, key, result) => complete(trx, key, result as ScenarioTaskResult),
    giveUp,
  } satisfies TaskKind;
}

/** The id of a cassette: that of the scenario, or of the call that is replayed. */
function subjectOf({ scenario_id, call_id }: { scenario_id: string | null; call_id: string | null }): string {
  const id = scenario_id ?? call_id;
  if (id === null) throw new Error('a result is of neither a scenario nor a call');
  return id;
}

function unfit(what: string): InvalidFields {
  return new InvalidFields({ field: 'result', msg: `Input should have ${what}`, type: 'value_error' });
}
