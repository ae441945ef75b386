import type { Static } from 'typebox';
import type { AgentType, Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import type { JsonObject } from '../../lib/json.ts';
import { assertListFits, EMPTY } from './list-limits.ts';
import { createAgentLists } from './lists.ts';
import type { AgentCreate, AgentUpdate } from './schema.ts';
import { share } from './share.ts';
import {
  type Agent,
  agentNames,
  agentOwners,
  eraseAgents,
  findAgent,
  findAgentByNumber,
  findCallbackUrl,
  insertAgent,
  lockAgent,
  lockAgentsOf,
  lockList,
  measureAgents,
  numberHolders,
  stopAgents,
  updateAgent,
} from './store.ts';

export type { Agent };
export type Agents = ReturnType<typeof createAgents>;

/**
 * Operations on agents. `caller` is the calling user, or null if none is named; a named user does not find the agents
 * of others.
 */
export function createAgents({ db, clock }: { db: Db; clock: Clock }) {
  /** Throws `not_found` for an id that is unknown, malformed, deleted or another user's. */
  async function get(id: string, caller: string | null): Promise<Agent> {
    return owned(isId(id) ? await findAgent(db, id) : undefined, caller);
  }

  /** The same inside a transaction, locked until it ends. */
  async function lock(trx: Db, id: string, caller: string | null): Promise<Agent> {
    return owned(isId(id) ? await lockAgent(trx, id) : undefined, caller);
  }

  async function create(input: Static<typeof AgentCreate>): Promise<Agent> {
    const now = clock.now();
    const config = input.config ?? {};
    return db.transaction().execute(async (trx) => {
      await lockList(trx, input.user_id);
      const agent = await insertAgent(trx, {
        id: newId(),
        user_id: input.user_id,
        name: input.name,
        description: input.description ?? null,
        type: input.type ?? agentType(config),
        config: JSON.stringify(config),
        is_active: input.is_active ?? true,
        created_at: now,
        updated_at: now,
      });
      await assertListFits(trx, input.user_id, EMPTY);
      return agent;
    });
  }

  async function update(id: string, input: Static<typeof AgentUpdate>, caller: string | null): Promise<Agent> {
    const { name, description, config, is_active } = input;
    const type = input.type ?? (config && agentType(config));
    const mayGrow = name !== undefined || description !== undefined || config !== undefined;
    return db.transaction().execute(async (trx) => {
      const { user_id } = await lock(trx, id, caller);
      if (mayGrow) await lockList(trx, user_id);
      const before = mayGrow ? await measureAgents(trx, user_id) : EMPTY;
      const agent = await updateAgent(trx, id, {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(config !== undefined && { config: JSON.stringify(config) }),
        ...(is_active !== undefined && { is_active }),
        ...(type !== undefined && { type }),
        updated_at: clock.now(),
      });
      if (mayGrow) await assertListFits(trx, user_id, before);
      return agent;
    });
  }

  /** Deletes the agent and keeps its history. Throws `agent_has_number` while it holds a phone number. */
  async function remove(id: string, caller: string | null): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const agent = await lock(trx, id, caller);
      if (agent.phone_number !== null)
        throw new AppError('agent_has_number', { detail: 'Release the phone number of the agent first.' });
      await updateAgent(trx, id, { deleted_at: clock.now(), is_active: false });
    });
  }

  /** The default callback URL of the agent's calls. */
  async function callbackUrl(id: string, caller: string | null) {
    const agent = await get(id, caller);
    return { agent_id: agent.id, callback_url: await findCallbackUrl(db, agent.id) };
  }

  /** Sets the callback URL of future calls; null removes it. */
  async function setCallbackUrl(id: string, callback_url: string | null, caller: string | null) {
    const agent = await db.transaction().execute(async (trx) => {
      await lock(trx, id, caller);
      return updateAgent(trx, id, { callback_url, updated_at: clock.now() });
    });
    return { agent_id: agent.id, callback_url };
  }

  return {
    get,
    lock,
    share,
    create,
    update,
    remove,
    callbackUrl,
    setCallbackUrl,
    ...createAgentLists(db),
    /** The agent that a number is assigned to, if any. */
    findByNumber: (phone_number: string) => findAgentByNumber(db, phone_number),
    /** The owners of these numbers' agents, by number. */
    numberHolders,
    /** Names by id; deleted agents have none. */
    names: (ids: string[]) => agentNames(db, ids),
    /** Anonymizes a user's agents: they are deleted and belong to the pseudonym. */
    erase: (trx: Db, user_id: string, pseudonym: string) => eraseAgents(trx, user_id, pseudonym, clock.now()),
    /** Deactivates a user's agents, so that they take no more calls. */
    stop: (trx: Db, user_id: string) => stopAgents(trx, user_id, clock.now()),
    /** A user's agents, including deleted ones, locked until the transaction ends. */
    lockAll: lockAgentsOf,
    /** User ids by agent id. */
    owners: (ids: string[]) => agentOwners(db, ids),
    /** Stores the number that `numbers` assigned; null removes it. */
    setNumber: (trx: Db, id: string, number: { phone_number: string; carrier_sid: string } | null) =>
      updateAgent(trx, id, {
        phone_number: number?.phone_number ?? null,
        carrier_sid: number?.carrier_sid ?? null,
        updated_at: clock.now(),
      }),
  };
}

function owned(agent: Agent | undefined, caller: string | null): Agent {
  if (!agent || (caller !== null && agent.user_id !== caller)) throw new AppError('not_found');
  return agent;
}

/**
 * The agent's default type: the part of a voice pipeline if its configuration names exactly one, otherwise PIPELINE.
 */
function agentType(config: JsonObject): AgentType {
  const parts = (['stt', 'llm', 'tts'] as const).filter((part) => Object.hasOwn(config, part));
  return parts.length === 1 && parts[0] ? (parts[0].toUpperCase() as AgentType) : 'PIPELINE';
}
