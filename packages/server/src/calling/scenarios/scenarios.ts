import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { type Actor, owned } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { type Cassettes, createCassettes } from './cassettes.ts';
import type { Recalled } from './drafting.ts';
import { createReading } from './reading.ts';
import type { RecordedTurn } from './recorded-turns.ts';
import { MAX_SCENARIOS } from './schema.ts';
import {
  countScenarios,
  deleteScenario,
  deleteScenariosOf,
  findScenario,
  findScenarioByName,
  listScenarios,
  lockTests,
  putScenario,
  type ScenarioRow,
} from './store.ts';
import { countConversations, deleteSuitesOf, removeFromSuites, touchSuites } from './suite-store.ts';
import { type Choice, createSuites, suiteOf } from './suites.ts';

export type Scenarios = ReturnType<typeof createScenarios>;
export { type Cassettes, type Choice, countConversations, type Recalled, type RecordedTurn, type ScenarioRow, suiteOf };

type Deps = Pick<Platform, 'db' | 'clock' | 'audit'>;

/** Scenarios of users: conversations that are tests of their agents; and suites of them. */
export function createScenarios({ db, clock, audit }: Deps) {
  const { read, readAll } = createReading();
  const suites = createSuites({ db, clock, audit });
  const cassettes = createCassettes({ db, clock, audit });

  /**
   * Adds a scenario, or replaces the user's one with its name. Throws `InvalidFields` with all mistakes of its text,
   * and `too_many_tests`.
   */
  async function save(user_id: string, text: string, actor: Actor) {
    const scenario = await read(user_id, text);
    const { scenario: name } = scenario;
    return db.transaction().execute(async (trx) => {
      await lockTests(trx, user_id);
      const before = await findScenarioByName(trx, user_id, name);
      if (!before && (await countScenarios(trx, user_id)) >= MAX_SCENARIOS) throw new AppError('too_many_tests');
      const now = clock.now();
      const times = { created_at: now, updated_at: now };
      const content = JSON.stringify(scenario);
      const after = await putScenario(trx, { id: newId(), user_id, name, text, content, ...times });
      if (before && before.text !== text) await touchSuites(trx, user_id, after.id, now);
      await record(trx, actor, 'scenario.saved', before, after);
      return { scenario: view(after), is_new: !before };
    });
  }

  function record(
    trx: Db,
    actor: Actor,
    action: 'scenario.saved' | 'scenario.deleted',
    before: ScenarioRow | undefined,
    after: ScenarioRow | undefined,
  ) {
    const { id = '', user_id = '' } = before ?? after ?? {};
    const shown = (row: ScenarioRow | undefined) => (row ? { name: row.name, text: row.text } : null);
    return audit.record(trx, actor, action, `scenario/${id}`, { user_id, before: shown(before), after: shown(after) });
  }

  /** Throws `not_found` for an id that is unknown, malformed or another user's. */
  async function find(within: Db, id: string, caller: string | null): Promise<ScenarioRow> {
    return owned(isId(id) ? await findScenario(within, id) : undefined, caller);
  }

  /** Deletes a scenario; suites go on without it. */
  async function remove(id: string, caller: string | null, actor: Actor): Promise<void> {
    const { user_id } = await find(db, id, caller);
    await db.transaction().execute(async (trx) => {
      await lockTests(trx, user_id);
      const before = await find(trx, id, caller);
      await removeFromSuites(trx, user_id, before.id, clock.now());
      await cassettes.forget(trx, before.id);
      await deleteScenario(trx, before.id);
      await record(trx, actor, 'scenario.deleted', before, undefined);
    });
  }

  return {
    save,
    readAll,
    get: async (id: string, caller: string | null) => view(await find(db, id, caller)),
    list: async (user_id: string, page: PageRequest) =>
      toPage(await listScenarios(db, user_id, page), page.limit, ({ id }) => id),
    remove,
    suites,
    cassettes,
    erase: async (trx: Db, user_id: string): Promise<void> => {
      await deleteSuitesOf(trx, user_id);
      await cassettes.erase(trx, user_id);
      await deleteScenariosOf(trx, user_id);
    },
  };
}

function view({ id, user_id, name, text, created_at, updated_at }: ScenarioRow) {
  return { id, user_id, name, text, created_at, updated_at };
}
