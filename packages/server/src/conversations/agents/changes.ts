import type { Static } from 'typebox';
import type { Audit } from '../../access/audit/audit.ts';
import type { Arm, Publishing, StickyBy } from '../../db/agent-tables.ts';
import { holdsAgent, shareHolds } from '../../db/legal-holds.ts';
import type { Db } from '../../db/tables.ts';
import type { AuditAction } from '../../lib/audit.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { agentType, type Content, contentOf, isSame } from './content.ts';
import { pinExtractors } from './extractor-pins.ts';
import { assertListFits, EMPTY } from './list-limits.ts';
import type { AgentCreate, AgentUpdate } from './schema.ts';
import { problemsOfSounds } from './sound-schema.ts';
import { type Agent, insertAgent, lockList, measureAgents, updateAgent } from './store.ts';
import { problemsOfPauses, problemsOfTransfer } from './tool-schema.ts';

/** Versions that calls get from now on: one, whose content is that of the row, or also the arms of a split. */
export interface Released {
  version: number;
  content: Content;
  arms: Arm[] | null;
  sticky_by: StickyBy;
}

/** Keeps versions and releases of agents, in the transactions that change them. */
export interface History {
  /** Keeps an agent's content as a version that all calls get; `before` is null for a new agent. Returns its number. */
  keep: (trx: Db, agent: Agent, before: Agent | null, actor: Actor, at: Date) => Promise<number>;
  /** Deletes all that was kept of an agent. */
  forget: (trx: Db, agent_id: string) => Promise<void>;
}

/** Fields that are no part of a version. */
type Own = { is_active?: boolean | undefined };

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  history: History;
  /** The agent, locked until the transaction ends. Throws `not_found`. */
  lock: (trx: Db, id: string, caller: string | null) => Promise<Agent>;
}

/** Changes of agents: what calls get of them becomes a version, in the same transaction. */
export function createChanges({ db, clock, audit, history, lock }: Deps) {
  async function create(input: Static<typeof AgentCreate>, actor: Actor): Promise<Agent> {
    const now = clock.now();
    assertPossible(input.config ?? {});
    return db.transaction().execute(async (trx) => {
      const config = await pinExtractors(trx, input.user_id, input.config ?? {});
      await lockList(trx, input.user_id);
      const agent = await insertAgent(trx, {
        id: newId(),
        user_id: input.user_id,
        name: input.name,
        description: input.description ?? null,
        type: input.type ?? agentType(config),
        config: JSON.stringify(config),
        is_active: input.is_active ?? true,
        version: 1,
        created_at: now,
        updated_at: now,
      });
      await assertListFits(trx, input.user_id, EMPTY);
      await history.keep(trx, agent, null, actor, now);
      await record(audit, trx, actor, 'agent.created', null, agent);
      return agent;
    });
  }

  /**
   * Changed content is a version that all calls get at once. Throws `changed_meanwhile` unless the agent's `updated_at`
   * is one of `tags` (null: whatever it is), and `agent_is_gated` if content is published by releases alone.
   */
  async function update(
    id: string,
    input: Static<typeof AgentUpdate>,
    caller: string | null,
    actor: Actor,
    tags: string[] | null = null,
  ): Promise<Agent> {
    assertPossible(input.config ?? {});
    return db.transaction().execute(async (trx) => {
      const before = await lock(trx, id, caller);
      if (tags && !tags.includes(before.updated_at.toISOString())) throw new AppError('changed_meanwhile');
      const config = input.config && (await pinExtractors(trx, before.user_id, input.config));
      const content = changed(before, { ...input, config });
      const own = { is_active: input.is_active };
      if (isSame(before, content)) return finish(trx, before, await touch(trx, before, own), actor);
      if (before.publishing === 'gated') throw new AppError('agent_is_gated');
      const version = await history.keep(trx, { ...before, ...content }, before, actor, clock.now());
      const released = { version, content, arms: null, sticky_by: 'none' } as const;
      return finish(trx, before, await release(trx, before, released, own), actor);
    });
  }

  async function finish(trx: Db, before: Agent, agent: Agent, actor: Actor): Promise<Agent> {
    await record(audit, trx, actor, 'agent.updated', before, agent);
    return agent;
  }

  /** Changes a locked agent. */
  function touch(trx: Db, before: Agent, change: Parameters<typeof updateAgent>[2]): Promise<Agent> {
    return updateAgent(trx, before.id, { ...change, updated_at: after(before, clock.now()) });
  }

  /** Has calls get other versions; the agent is locked. Throws `too_many_agents` if its list would grow too large. */
  async function release(trx: Db, before: Agent, released: Released, more: Own = {}) {
    const { version, arms, sticky_by } = released;
    const { config, ...content } = contentOf(released.content);
    await lockList(trx, before.user_id);
    const size = await measureAgents(trx, before.user_id);
    const change = {
      ...content,
      config: JSON.stringify(config),
      version,
      arms: arms && JSON.stringify(arms),
      sticky_by,
    };
    const agent = await touch(trx, before, { ...change, ...more });
    await assertListFits(trx, agent.user_id, size);
    return agent;
  }

  /** Deletes the agent and keeps its history. Throws `agent_has_number` while it holds a number, and `legal_hold`. */
  async function remove(id: string, caller: string | null, actor: Actor): Promise<void> {
    await db.transaction().execute(async (trx) => {
      // Before the agent is locked: setting a hold locks in this order.
      await shareHolds(trx);
      const agent = await lock(trx, id, caller);
      if (await holdsAgent(trx, agent.user_id, agent.id)) throw new AppError('legal_hold');
      if (agent.phone_number !== null)
        throw new AppError('agent_has_number', { detail: 'Release the phone number of the agent first.' });
      await updateAgent(trx, id, { deleted_at: clock.now(), is_active: false });
      await history.forget(trx, agent.id);
      await record(audit, trx, actor, 'agent.deleted', agent, null);
    });
  }

  return {
    create,
    update,
    remove,
    release,
    touch,
    /** Sets whether updates of a locked agent are live at once. */
    setPublishing: (trx: Db, before: Agent, publishing: Publishing) => touch(trx, before, { publishing }),
  };
}

const targetOf = (id: string) => `agent/${id.toLowerCase()}`;

/** Audits the change of an agent, in its transaction. */
function record(
  audit: Audit,
  trx: Db,
  actor: Actor,
  action: AuditAction,
  before: Agent | null,
  after: Agent | null,
): Promise<void> {
  const { id = '', user_id = null } = after ?? before ?? {};
  return audit.record(trx, actor, action, targetOf(id), { user_id, before: shown(before), after: shown(after) });
}

/** The fields of an agent that clients change. */
function shown(agent: Agent | null) {
  if (agent === null) return null;
  const { name, type, is_active, description, config } = agent;
  return { name, type, is_active, description, config };
}

/** The time of a change: later than that of the previous one, which it may share a millisecond with. */
const after = ({ updated_at }: Agent, now: Date) => new Date(Math.max(now.getTime(), updated_at.getTime() + 1));

/** The content of an agent after an update. */
function changed(before: Agent, { name, description, type, config }: Static<typeof AgentUpdate>): Content {
  return {
    name: name ?? before.name,
    description: description === undefined ? before.description : description,
    type: type ?? (config ? agentType(config) : before.type),
    config: config ?? before.config,
  };
}

/**
 * Other mistakes are a draft's to have; a destination that is both cold and attended was never transferred to, no
 * recording was ever silent for a tool that the agent has not, and no worker plays a sound without a name.
 */
function assertPossible(config: JsonObject): void {
  const checks = [problemsOfTransfer, problemsOfPauses, problemsOfSounds];
  const problems = checks.flatMap((check) => check(config, 'config'));
  if (problems.length === 0) return;
  throw new InvalidFields(...problems.map(({ loc, ...problem }) => ({ ...problem, field: loc })));
}
