import { type Idempotency, once } from '../../access/idempotency/idempotency.ts';
import type { Arm, Publishing, StickyBy } from '../../db/agent-tables.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { type FieldProblem, InvalidFields } from '../../lib/invalid.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Agents } from '../agents/agents.ts';
import type { Gate } from './gate.ts';
import { type EnqueueRelease, madeBy, recordRelease } from './history.ts';
import { findCurrent, findRelease, listReleases, type Release } from './release-store.ts';
import type { FindSettled, Settled } from './settled.ts';
import { findVersions, type Version } from './store.ts';
import { assertValid } from './valid.ts';

const ALL = 100;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  agents: Agents;
  find: FindSettled;
  gate: Gate;
  enqueueRelease: EnqueueRelease;
}

/** The versions that calls are to get. */
interface Wanted {
  arms: Arm[];
  sticky_by: StickyBy;
  /** The suite that the versions have to have passed. */
  gate: string | null;
}

/** The same as requested; with `tags`, only in place of a release that has one of these numbers. */
type Input = Pick<Wanted, 'arms'> & { [key in 'sticky_by' | 'gate']?: Wanted[key] | undefined } & {
  tags?: string[] | null;
};

/** Releases: which versions of an agent calls get, and how many of them. */
export function createReleases({ db, clock, audit, agents, find, gate: { assertPassed }, enqueueRelease }: Deps) {
  /** The release that calls get. Throws `not_found`. */
  async function get(id: string, caller: string | null) {
    const agent = await find.get(id, caller);
    return view(await findCurrent(db, agent.id), agent);
  }

  async function list(id: string, page: PageRequest, caller: string | null) {
    const agent = await find.get(id, caller);
    return toPage(await listReleases(db, agent.id, page), page.limit, ({ number }) => String(number));
  }

  /**
   * Releases versions, unless calls get them already. Throws `InvalidFields` for arms that are not to be released,
   * `gate_not_passed` and `changed_meanwhile`.
   */
  async function put(
    id: string,
    { arms, sticky_by = 'none', gate = null, tags = null }: Input,
    caller: string | null,
    actor: Actor,
  ) {
    assertArms(arms);
    const wanted = { arms, sticky_by, gate };
    return db.transaction().execute(async (trx) => {
      const agent = await find.lock(trx, id, caller);
      const current = await findCurrent(trx, agent.id);
      if (isSame(current, wanted)) return view(current, agent);
      assertCurrent(current, tags);
      const versions = await versionsOf(trx, agent, wanted.arms);
      for (const [index, { version }] of wanted.arms.entries()) {
        const found = versions.get(version);
        // A version that was live may be so again, as after an update or a rollback.
        if (found?.released_at === null) assertValid(found.config, ['arms', index, 'version']);
      }
      if (gate !== null) await assertPassed(trx, agent, gate, numbersOf(arms));
      const release = await change(trx, agent, wanted, versions, actor);
      await record(trx, agent, 'agent.released', current, release, actor);
      return view(release, agent);
    });
  }

  /**
   * Releases again what was released before, and before that when repeated. Throws `no_previous_release` if there is
   * none, or its versions are no longer kept; `changed_meanwhile` unless the release that calls get is one of `tags`.
   */
  async function rollBack(
    id: string,
    tags: string[] | null,
    caller: string | null,
    actor: Actor,
    idempotency: Idempotency | null,
  ) {
    const { id: agent_id, user_id } = await agents.get(id, caller);
    const { answer } = await once(db, user_id, idempotency, async (trx) => {
      const agent = await find.lock(trx, agent_id, caller);
      const current = await findCurrent(trx, agent_id);
      assertCurrent(current, tags);
      const target = current.previous === null ? undefined : await findRelease(trx, agent_id, current.previous);
      if (!target) throw new AppError('no_previous_release');
      const versions = await findVersions(trx, agent_id, numbersOf(target.arms));
      if (versions.size < target.arms.length) throw new AppError('no_previous_release');
      const { number: repeats, created_by: _, created_at: __, ...again } = target;
      const release = await change(trx, agent, { ...again, repeats }, versions, actor);
      await record(trx, agent, 'agent.rolled_back', current, release, actor);
      return { number: release.number };
    });
    const release = await findRelease(db, agent_id, answer.number);
    if (!release) throw new AppError('not_found');
    return view(release, await agents.get(agent_id, caller));
  }

  /** Has calls get other versions, records that and tells of it. */
  async function change(
    trx: Db,
    agent: Settled,
    { arms, sticky_by, ...more }: Wanted & { repeats?: number; previous?: number | null },
    versions: Map<number, Version>,
    actor: Actor,
  ): Promise<Release> {
    const { version } = arms.reduce((main, arm) => (arm.weight > main.weight ? arm : main));
    const content = versions.get(version);
    if (!content) throw new AppError('not_found');
    const split = arms.length > 1 ? arms : null;
    await agents.release(trx, agent, { version, content, arms: split, sticky_by });
    const release = await recordRelease(trx, agent, { arms, sticky_by, ...more }, madeBy(actor, clock.now()));
    await enqueueRelease(trx, agent, release);
    return release;
  }

  function record(
    trx: Db,
    { id, user_id }: Settled,
    action: 'agent.released' | 'agent.rolled_back',
    before: Release,
    after: Release,
    actor: Actor,
  ): Promise<void> {
    const shown = ({ arms, sticky_by, gate }: Release) => ({ arms, sticky_by, gate });
    return audit.record(trx, actor, action, `agent/${id}`, { user_id, before: shown(before), after: shown(after) });
  }

  /** Sets whether updates of the agent are live at once. */
  function setPublishing(id: string, publishing: Publishing, caller: string | null, actor: Actor) {
    return db.transaction().execute(async (trx) => {
      const agent = await find.lock(trx, id, caller);
      const { user_id } = agent;
      const both = { before: { publishing: agent.publishing }, after: { publishing } };
      await audit.record(trx, actor, 'agent.publishing_changed', `agent/${agent.id}`, { user_id, ...both });
      await agents.setPublishing(trx, agent, publishing);
      return view(await findCurrent(trx, agent.id), { publishing });
    });
  }

  return { get, list, put, rollBack, setPublishing };
}

const view = (release: Release, { publishing }: { publishing: Publishing }) => ({ ...release, publishing });

/** Throws `changed_meanwhile` unless the number of the release is one of `tags`; null: whatever it is. */
function assertCurrent({ number }: Release, tags: string[] | null): void {
  if (tags && !tags.includes(String(number))) throw new AppError('changed_meanwhile');
}

const numbersOf = (arms: Arm[]) => arms.map(({ version }) => version);

/** The versions of the arms. Throws `InvalidFields` for those that the agent has not. */
async function versionsOf(trx: Db, agent: Settled, arms: Arm[]): Promise<Map<number, Version>> {
  const versions = await findVersions(trx, agent.id, numbersOf(arms));
  const problems = arms.flatMap(({ version }, index): FieldProblem[] => {
    if (versions.has(version)) return [];
    const msg = 'Input should be a version of the agent';
    return [{ field: ['arms', index, 'version'], msg, type: 'value_error', input: version }];
  });
  if (problems.length > 0) throw new InvalidFields(...problems);
  return versions;
}

/** Throws `InvalidFields` for weights that are not all of the calls, and for a version with two of them. */
function assertArms(arms: Arm[]): void {
  const sum = arms.reduce((total, { weight }) => total + weight, 0);
  if (sum !== ALL) {
    const msg = `Input should have weights that sum to ${ALL}, not ${sum}`;
    throw new InvalidFields({ field: 'arms', msg, type: 'value_error' });
  }
  const twice = arms.findIndex(({ version }, index) => numbersOf(arms).indexOf(version) < index);
  if (twice < 0) return;
  const msg = 'Input should be another version than those of the other arms';
  throw new InvalidFields({ field: ['arms', twice, 'version'], msg, type: 'value_error', input: arms[twice]?.version });
}

/** Whether a release gives the same versions to the same calls, after the same tests. */
function isSame(current: Release, { arms, sticky_by, gate }: Wanted): boolean {
  const sorted = (list: Arm[]) => JSON.stringify(list.toSorted((a, b) => a.version - b.version).map(toPair));
  const toPair = ({ version, weight }: Arm) => [version, weight];
  return current.gate === gate && current.sticky_by === sticky_by && sorted(current.arms) === sorted(arms);
}
