import { type Idempotency, isAnswered, once } from '../../access/idempotency/idempotency.ts';
import type { Sessions } from '../../conversations/sessions/sessions.ts';
import type { Versions } from '../../conversations/versions/versions.ts';
import { isBudgetSpent } from '../../db/reserves.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Workers } from '../../providers/workers.ts';
import type { Choice, ScenarioRow, Scenarios } from '../scenarios/scenarios.ts';
import { createAdding, type Held, type Item, invalid } from './adding.ts';
import { type CallsOf, createReplays } from './replays.ts';
import { MAX_OPEN_RUNS } from './schema.ts';
import { countOpenRuns } from './store.ts';

const RETRY_AFTER_S = 5;
const SPENT = 'The budget of the user for this month counts test runs, and is spent.';

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'>, ReplayDeps {
  sessions: Sessions;
  workers: Workers;
  versions: Versions;
  scenarios: Scenarios;
}

type ReplayDeps = Parameters<typeof createReplays>[0];

/** How a run is held, whatever it runs. */
interface RunOptions extends Held {
  agent_version: number | 'draft';
}

export interface NewRun extends Choice, RunOptions {
  agent_id: string;
  calls?: CallsOf | undefined;
  /** Scenarios that are not saved. */
  texts?: string[] | undefined;
}

/** Starts test runs. */
export function createStarting({ db, clock, work, workers, agents, versions, sessions, scenarios, ...deps }: Deps) {
  const { lock, choose } = scenarios.suites;
  const { callsOf, replaysOf } = createReplays({ agents, ...deps });
  const add = createAdding({ clock, work, is_simulated: workers.runScenario !== undefined });

  /**
   * Starts a run of a suite, of scenarios, of texts of some, or of an agent's calls; returns its id. Throws `not_found`
   * for an unknown agent, `too_many_test_runs`, `budget_exceeded` if the budget counts tests and is spent, and
   * `InvalidFields` for a version, a suite, scenarios or calls that there are not, and for wrong texts.
   */
  async function start(user_id: string, input: NewRun, idempotency: Idempotency | null, actor: Actor) {
    assertOne(input);
    const { calls, texts } = input;
    if (calls) await assertMayBegin(user_id, idempotency);
    const items = texts
      ? await itemsOf(user_id, texts)
      : calls && (await replaysOf(await callsOf(user_id, input.agent_id, calls), user_id));
    return begin(user_id, input, items, idempotency, actor);
  }

  async function itemsOf(user_id: string, texts: string[]): Promise<Item[]> {
    const read = await scenarios.readAll(user_id, texts, 'texts');
    return read.map((scenario) => {
      return { scenario_id: null, name: scenario.scenario, content: JSON.stringify(scenario), replay: null };
    });
  }

  /** Starts a run that replays one call, or chat, with a version of its agent. Throws as `start` does. */
  async function replay(
    call_id: string,
    options: RunOptions,
    caller: string | null,
    idempotency: Idempotency | null,
    actor: Actor,
  ) {
    const session = await sessions.get(call_id, caller);
    const { agent_id, user_id } = session;
    if (agent_id === null) throw invalid('call_id', 'Input should be a call that an agent has answered');
    await assertMayBegin(user_id, idempotency);
    const replays = await replaysOf([session], caller);
    if (replays.length === 0) throw invalid('call_id', 'Input should be a call in which the caller has said something');
    return begin(user_id, { ...options, agent_id }, replays, idempotency, actor);
  }

  /** Throws if no run may begin, before any call is read; not for a repeated request, which has its answer. */
  async function assertMayBegin(user_id: string, idempotency: Idempotency | null): Promise<void> {
    const limit = await limitOf(db, user_id);
    if (limit && !(idempotency && (await isAnswered(db, idempotency)))) throw limit;
  }

  /** Why a user may begin no run now; null if one may. */
  async function limitOf(within: Db, user_id: string): Promise<AppError | null> {
    if ((await countOpenRuns(within, user_id)) >= MAX_OPEN_RUNS)
      return new AppError('too_many_test_runs', { retry_after_s: RETRY_AFTER_S });
    const isSpent = await isBudgetSpent(within, user_id, clock.now(), { countsTests: true });
    return isSpent ? new AppError('budget_exceeded', { detail: SPENT }) : null;
  }

  async function begin(
    user_id: string,
    input: Omit<NewRun, 'calls' | 'texts'>,
    items: Item[] | undefined,
    idempotency: Idempotency | null,
    actor: Actor,
  ): Promise<string> {
    const { agent_id, agent_version } = input;
    await assertBase(input, user_id);
    const version = agent_version === 'draft' ? await versions.keepDraft(agent_id, user_id, actor) : agent_version;
    const { answer } = await once<{ id: string }>(db, user_id, idempotency, async (trx) => {
      // The lock makes an erasure of the user wait until the run is recorded, or the run find the agent gone.
      const [agent] = await agents.share(trx, [{ id: agent_id, user_id, version }], true);
      if (!agent || agent instanceof Error) return agent ?? new AppError('not_found');
      await lock(trx, user_id);
      const limit = await limitOf(trx, user_id);
      if (limit) return limit;
      const of = { user_id, agent_id: agent.id, agent_version: version };
      if (items) return add(trx, of, { suite: null, items }, input);
      const { suite, scenarios: chosen } = await choose(trx, user_id, input);
      return add(trx, of, { suite, items: chosen.map(itemOf) }, input);
    });
    return answer.id;
  }

  async function assertBase({ agent_id, base_version }: NewRun, user_id: string): Promise<void> {
    if (base_version === undefined) return;
    const { id } = await agents.get(agent_id, user_id);
    await versions.get(id, base_version, user_id).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw invalid('base_version', 'Input should be a version of the agent');
    });
  }

  return { start, replay };
}

/** Throws `InvalidFields` for a request that names more than one kind, and for what texts have not. */
function assertOne({ calls, texts, suite, scenarios, base_version, cassette = 'passthrough' }: NewRun): void {
  const isKept = suite !== undefined || scenarios !== undefined;
  if (calls && (isKept || texts)) throw invalid('calls', 'Input should name calls, a suite, scenarios or texts');
  if (!texts) return;
  if (isKept) throw invalid('texts', 'Input should name a suite, scenarios or texts');
  if (base_version !== undefined)
    throw invalid('base_version', 'Input should be absent: texts have no earlier results');
  if (cassette !== 'passthrough')
    throw invalid('cassette', 'Input should be passthrough: a cassette belongs to a scenario that is saved');
}

function itemOf({ id: scenario_id, name, content }: ScenarioRow): Item {
  return { scenario_id, name, content, replay: null };
}
