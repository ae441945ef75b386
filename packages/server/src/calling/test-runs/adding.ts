import type { Db } from '../../db/tables.ts';
import type { CassetteMode } from '../../db/test-tables.ts';
import { newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Platform } from '../../platform.ts';
import type { ScenarioRow } from '../scenarios/scenarios.ts';
import { SCENARIO } from './ending.ts';
import { MAX_CONVERSATIONS } from './schema.ts';
import { findBase, insertRun, type NewReplay, type NewResult } from './store.ts';

/** One scenario of a run, which may be that of a call. */
export interface Item extends Pick<ScenarioRow, 'name' | 'content'> {
  scenario_id: string | null;
  replay: Omit<NewReplay, 'result_id' | 'user_id'> | null;
}

/** How the conversations of a run are held. */
export interface Held {
  runs?: number | undefined;
  cassette?: CassetteMode | undefined;
  /** The version with whose earlier results its own are compared. */
  base_version?: number | undefined;
}

interface Added {
  suite: { id: string; changed_at: Date } | null;
  items: Item[];
}

interface Deps extends Pick<Platform, 'clock' | 'work'> {
  /** Whether rules answer in place of models. */
  is_simulated: boolean;
}

/** Records test runs, and the work of each of their scenarios. */
export function createAdding({ clock, work, is_simulated }: Deps) {
  /** Returns the id of the run. Throws `InvalidFields` for too many conversations, or none. */
  return async function add(
    trx: Db,
    of: { user_id: string; agent_id: string; agent_version: number },
    { suite, items }: Added,
    { runs, cassette = 'passthrough', base_version }: Held,
  ): Promise<{ id: string }> {
    if (items.length === 0) throw invalid('calls', NO_CALLS);
    const [id, user_id] = [newId(), of.user_id];
    const base = await baseOf(trx, of.agent_id, base_version, items);
    const results = items.map((item) => ({ ...resultOf(item, runs, base), run_id: id, user_id }));
    assertFew(results);
    const replays = items.flatMap(({ replay }, at): NewReplay[] =>
      replay ? [{ ...replay, result_id: results[at]?.id ?? '', user_id }] : [],
    );
    // Later than the last change of the suite, so that it is known to be of the suite as it is now.
    const created_at = new Date(Math.max(clock.now().getTime(), (suite?.changed_at.getTime() ?? 0) + 1));
    const held = { cassette, base_version: base_version ?? null, is_simulated, is_short: isShort(items, runs) };
    const state = { status: 'queued', scenarios: items.length, created_at } as const;
    await insertRun(trx, { id, ...of, suite_id: suite?.id ?? null, ...held, ...state }, results, replays);
    const tasks = results.map((result) => ({ kind: SCENARIO, key: result.id, user_id }));
    await work.add(trx, tasks);
    return { id };
  };
}

type Base = Awaited<ReturnType<typeof findBase>>;

async function baseOf(trx: Db, agent_id: string, version: number | undefined, items: Item[]): Promise<Base> {
  if (version === undefined) return [];
  const ids = items.flatMap(({ scenario_id }) => scenario_id ?? []);
  return findBase(trx, agent_id, version, ids);
}

const NO_CALLS = 'Input should match calls of the agent that have ended, and in which the caller has said something';

/** Whether a scenario asks for more runs than are wanted. */
function isShort(items: Item[], wanted: number | undefined): boolean {
  if (wanted === undefined) return false;
  return items.some(({ content }) => wanted < ((JSON.parse(content) as { runs?: number }).runs ?? 1));
}

/** A result to come, of a scenario as it is now, and what came of the same with the base version. */
function resultOf(
  { scenario_id, name, content }: Item,
  wanted: number | undefined,
  base: Base,
): Omit<NewResult, 'run_id' | 'user_id'> & { id: string; runs: number } {
  const { runs = 1, critical = false } = JSON.parse(content) as { runs?: number; critical?: boolean };
  const before = base.find((one) => one.scenario_id === scenario_id);
  const earlier = before && { base_passed: before.passed, base_failed: before.failed };
  return { id: newId(), scenario_id, name, content, status: 'queued', runs: wanted ?? runs, critical, ...earlier };
}

/** Throws `InvalidFields` for more conversations than one test run may have. */
function assertFew(results: { runs: number }[]): void {
  const count = results.reduce((sum, { runs }) => sum + runs, 0);
  if (count <= MAX_CONVERSATIONS) return;
  throw invalid('runs', `Input should have at most ${MAX_CONVERSATIONS} conversations in all, not ${count}`);
}

export function invalid(field: string, msg: string): InvalidFields {
  return new InvalidFields({ field, msg, type: 'value_error' });
}
