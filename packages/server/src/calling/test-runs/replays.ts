import type { Agents } from '../../conversations/agents/agents.ts';
import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Recalled } from '../scenarios/scenarios.ts';
import type { Item } from './adding.ts';
import { MAX_REPLAYS } from './schema.ts';

/** Calls of an agent that are replayed. */
export interface CallsOf {
  from?: string | undefined;
  to?: string | undefined;
  limit?: number | undefined;
}

interface Deps {
  agents: Agents;
  sessions: Sessions;
  /** A conversation, and the scenario that repeats it. */
  recall: (id: string, caller: string | null) => Promise<Recalled>;
}

/** Makes scenarios of calls. */
export function createReplays({ agents, sessions, recall }: Deps) {
  /** The newest calls of an agent in which the caller was answered. */
  async function callsOf(user_id: string, agent_id: string, { from, to, limit = MAX_REPLAYS }: CallsOf) {
    const agent = await agents.get(agent_id, user_id);
    const period = { from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined };
    const filter = { user_id, agent_id: agent.id, status: 'COMPLETED' as const, ...period };
    return (await sessions.listCalls(filter, { limit, after: null })).items;
  }

  /** Those of the calls in which the caller has said something. */
  async function replaysOf(calls: Pick<Session, 'id'>[], caller: string | null): Promise<Item[]> {
    const items: Item[] = [];
    for (const { id } of calls) {
      const { session, scenario, turns } = await recall(id, caller);
      if (turns.every(({ heard }) => heard === null)) continue;
      const { id: call_id, agent_version } = session;
      const replay = { call_id, agent_version, turns: JSON.stringify(turns) };
      items.push({ scenario_id: null, name: scenario.scenario, content: JSON.stringify(scenario), replay });
    }
    return items;
  }

  return { callsOf, replaysOf };
}
