import { LruMap } from 'toad-cache';
import { pinnedIn } from '../../conversations/agents/agents.ts';
import { isFinal, type Transition } from '../../conversations/sessions/sessions.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Work } from '../../work/work.ts';
import { readAgentExtractors } from './store.ts';

/** The kind of work that begins the analyses of a call once its transcript is complete, under the id of its session. */
export const CALL_ANALYSES = 'call_analyses';

/** Versions of agents that one process remembers. */
const MAX_REMEMBERED = 10_000;

/** The wishes of a version of an agent; null if it names no extractors. */
export interface Wanted {
  extractors: { name: string; version: number }[];
  /** Whether the reports of its calls wait for them. */
  waits: boolean;
}

interface Versioned {
  agent_id: string | null;
  agent_version: number | null;
}

export type AgentExtractors = ReturnType<typeof createAgentExtractors>;

/** Remembers which versions of agents name extractors: they never change, so that the end of a call asks nothing. */
export function createAgentExtractors(max = MAX_REMEMBERED) {
  const remembered = new LruMap<Wanted | null>(max);

  /** The wishes of the agents' versions of these calls, in order. */
  async function of(db: Db, calls: Versioned[]): Promise<(Wanted | null)[]> {
    // Read before anything is added, which may push it out.
    const known = new Map(calls.map((call) => [keyOf(call), remembered.get(keyOf(call))]));
    const missing = calls.flatMap((call) => {
      const { agent_id, agent_version: version } = call;
      return agent_id === null || version === null || known.get(keyOf(call)) !== undefined ? [] : { agent_id, version };
    });
    const found = missing.length > 0 ? await readAgentExtractors(db, missing) : [];
    for (const { agent_id, version, extractors, waits } of found) {
      const named = pinnedIn({ extractors });
      const wanted = named.length > 0 ? { extractors: named, waits: waits === true } : null;
      const key = keyOf({ agent_id, agent_version: version });
      known.set(key, wanted);
      remembered.set(key, wanted);
    }
    return calls.map((call) => known.get(keyOf(call)) ?? null);
  }

  return {
    of,
    ofCall: async (db: Db, call: Versioned): Promise<Wanted | null> => (await of(db, [call]))[0] ?? null,
  };
}

const keyOf = ({ agent_id, agent_version }: Versioned) => `${agent_id} ${agent_version}`;

interface Deps {
  work: Work;
  clock: Clock;
  agentExtractors: AgentExtractors;
  /** Delay after the end of a call until it is looked at. */
  delayMs: number;
}

/** Asks for the analyses of ended calls, in the transaction that ends them, where their agents name extractors. */
export function createAnalysisRequests({ work, clock, agentExtractors, delayMs }: Deps) {
  return async (trx: Db, transitions: Transition[]): Promise<void> => {
    const ended = transitions.flatMap(({ after }) => (isFinal(after) && after.call_status !== null ? after : []));
    if (ended.length === 0) return;
    const wanted = await agentExtractors.of(trx, ended);
    const due_at = new Date(clock.now().getTime() + delayMs);
    const asked = ended.flatMap(({ id }, index) => (wanted[index] ? { kind: CALL_ANALYSES, key: id, due_at } : []));
    if (asked.length > 0) await work.add(trx, asked);
  };
}
