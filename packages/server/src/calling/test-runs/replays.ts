import type { Static } from 'typebox';
import type { Agents } from '../../conversations/agents/agents.ts';
import type { Session } from '../../conversations/sessions/sessions.ts';
import { keyIn } from '../../lib/page.ts';
import type { History } from '../history/history.ts';
import type { Recalled } from '../scenarios/scenarios.ts';
import type { Item } from './adding.ts';
import { MAX_REPLAYS, type ReplayedCalls } from './schema.ts';

/** Pages of calls that are looked at, each of which may have few that match. */
const MAX_PAGES = 20;

/** Calls of an agent that are replayed, by the words of the list of calls. */
export type CallsOf = Static<typeof ReplayedCalls>;

interface Deps {
  agents: Agents;
  /** Finds calls, newest first, in pages. */
  findCalls: History['finding'];
  /** A conversation, and the scenario that repeats it. */
  recall: (id: string, caller: string | null) => Promise<Recalled>;
}

/** Makes scenarios of calls. */
export function createReplays({ agents, findCalls, recall }: Deps) {
  /** The newest calls of an agent that have ended and match the filters. */
  async function callsOf(user_id: string, agent_id: string, { limit = MAX_REPLAYS, ...filter }: CallsOf) {
    const agent = await agents.get(agent_id, user_id);
    const query = { ...filter, agent_id: agent.id, status: 'COMPLETED' as const };
    const pageOf = findCalls(query, user_id);
    const found: Session[] = [];
    let after: string | null = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const { items, next_cursor } = await pageOf({ limit: limit - found.length, after });
      found.push(...items);
      if (next_cursor === null || found.length === limit) break;
      after = keyIn(next_cursor);
    }
    return found;
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
