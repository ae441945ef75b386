import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Agent, Agents } from '../agents/agents.ts';
import { keepFirst } from './history.ts';

/** An agent whose content is a version. */
export type Settled = Agent & { version: number };
export type FindSettled = ReturnType<typeof createSettled>;

/** Finds agents. One that a replica of an earlier release has written gets its first version then. */
export function createSettled({ db, clock, agents }: { db: Db; clock: Clock; agents: Agents }) {
  /** The agent, locked until the transaction ends. Throws `not_found`. */
  async function lock(trx: Db, id: string, caller: string | null): Promise<Settled> {
    const agent = await agents.lock(trx, id, caller);
    if (isSettled(agent)) return agent;
    const version = await keepFirst(trx, agent, clock.now());
    await agents.release(trx, agent, { version, content: agent, arms: null, sticky_by: 'none' });
    return { ...agent, version };
  }

  /** The agent. Throws `not_found`. */
  async function get(id: string, caller: string | null): Promise<Settled> {
    const agent = await agents.get(id, caller);
    return isSettled(agent) ? agent : db.transaction().execute((trx) => lock(trx, id, caller));
  }

  return { get, lock };
}

function isSettled(agent: Agent): agent is Settled {
  return agent.version !== null;
}
