import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { type FieldProblem, InvalidFields } from '../../lib/invalid.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { type Actor, owned } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { MAX_SUITES } from './schema.ts';
import { findScenariosOf, lockTests, type ScenarioRow } from './store.ts';
import {
  countSuites,
  deleteSuite,
  findSuite,
  findSuiteByName,
  listSuites,
  putSuite,
  type SuiteRow,
} from './suite-store.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'audit'>;

/** A suite, or chosen scenarios, to be run. */
export interface Choice {
  suite?: string | undefined;
  scenarios?: string[] | undefined;
}

/** Suites: scenarios that are run together. */
export function createSuites({ db, clock, audit }: Deps) {
  /**
   * Adds a suite, or replaces the scenarios of the user's one with this name. Throws `InvalidFields` for scenarios that
   * the user has not, and `too_many_tests`.
   */
  function save(user_id: string, { name, scenarios }: { name: string; scenarios: string[] }, actor: Actor) {
    return db.transaction().execute(async (trx) => {
      await lockTests(trx, user_id);
      const scenario_ids = (await pick(trx, user_id, scenarios)).map(({ id }) => id);
      const before = await findSuiteByName(trx, user_id, name);
      if (!before && (await countSuites(trx, user_id)) >= MAX_SUITES) throw new AppError('too_many_tests');
      const times = { created_at: clock.now(), changed_at: clock.now() };
      const after = await putSuite(trx, { id: newId(), user_id, name, scenario_ids, ...times });
      const change = { user_id, before: before ? shown(before) : null, after: shown(after) };
      await audit.record(trx, actor, 'suite.saved', `suite/${after.id}`, change);
      return { suite: view(after), is_new: !before };
    });
  }

  /** Deletes a suite; its scenarios and its test runs stay. */
  async function remove(id: string, caller: string | null, actor: Actor): Promise<void> {
    const { user_id } = await find(db, id, caller);
    await db.transaction().execute(async (trx) => {
      await lockTests(trx, user_id);
      const before = await find(trx, id, caller);
      await deleteSuite(trx, before.id);
      await audit.record(trx, actor, 'suite.deleted', `suite/${before.id}`, { user_id, before: shown(before) });
    });
  }

  /**
   * Finds the scenarios of a test run, under `lock`. Throws `InvalidFields` unless it is either a suite of the user's
   * or scenarios of the user's.
   */
  async function choose(trx: Db, user_id: string, choice: Choice) {
    if ((choice.suite === undefined) === (choice.scenarios === undefined))
      throw new InvalidFields({ field: 'suite', msg: 'Input should name a suite or scenarios', type: 'value_error' });
    if (choice.suite === undefined) return { suite: null, scenarios: await pick(trx, user_id, choice.scenarios ?? []) };
    const suite = await suiteOf(trx, choice.suite, user_id);
    const scenarios = suite ? await findScenariosOf(trx, user_id, suite.scenario_ids) : [];
    if (suite && scenarios.length > 0) return { suite, scenarios };
    const msg = suite ? 'Input should be a suite that has scenarios' : 'Input should be a suite of the user';
    throw new InvalidFields({ field: 'suite', msg, type: 'value_error', input: choice.suite });
  }

  return {
    save,
    get: async (id: string, caller: string | null) => view(await find(db, id, caller)),
    list: async (user_id: string, page: PageRequest) => {
      const { items, next_cursor } = toPage(await listSuites(db, user_id, page), page.limit, ({ id }) => id);
      return { items: items.map(view), next_cursor };
    },
    remove,
    /** Blocks changes of the user's scenarios and suites, and starts of test runs, until the transaction ends. */
    lock: lockTests,
    choose,
  };
}

/** Throws `not_found` for an id that is unknown, malformed or another user's. */
async function find(within: Db, id: string, caller: string | null): Promise<SuiteRow> {
  return owned(isId(id) ? await findSuite(within, id) : undefined, caller);
}

/** The user's suite with this id, if there is one. */
export function suiteOf(within: Db, id: string, user_id: string): Promise<SuiteRow | undefined> {
  return find(within, id, user_id).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
}

/** Throws `InvalidFields` for scenarios that the user has not. */
async function pick(trx: Db, user_id: string, scenarios: string[]): Promise<ScenarioRow[]> {
  const ids = scenarios.map((id) => id.toLowerCase());
  const found = await findScenariosOf(trx, user_id, ids.filter(isId));
  const known = new Set(found.map(({ id }) => id));
  const problems = ids.flatMap((id, index): FieldProblem[] => {
    const msg = 'Input should be a scenario of the user';
    return known.has(id) ? [] : [{ field: ['scenarios', index], msg, type: 'value_error', input: id }];
  });
  if (problems.length > 0) throw new InvalidFields(...problems);
  return found;
}

const shown = ({ name, scenario_ids }: SuiteRow) => ({ name, scenarios: scenario_ids });

function view({ scenario_ids, ...suite }: SuiteRow) {
  return { ...suite, scenarios: scenario_ids };
}
