import { FifoMap } from 'toad-cache';
import type { NewUsageEvent, Sighting } from './store.ts';

/** Sessions remembered; one that was dropped costs a statement a little time. */
const REMEMBERED = 20_000;
/** A database that has lost its last commits, in a failover, gets the sessions in progress again after this time. */
const FORGOTTEN_AFTER_MS = 60_000;
/** Agents remembered of a session. */
const MAX_AGENTS = 8;

interface Commit {
  /** Remembers what was written. Must be called after the commit only. */
  committed(): void;
}

/**
 * Remembers which sessions of agents are in the database: a call has hundreds of events, and looking its session up
 * for each took a seventh of the statement. Valid for one version, which each deletion of sessions raises while it
 * blocks the writers of events.
 */
export function createKnownSessions(): { begin(): Sighting & Commit } {
  // By session alone: composing a key of three for each event would cost four times as much.
  const known = new FifoMap<{ user_id: string; agents: string[] }>(REMEMBERED, FORGOTTEN_AFTER_MS);
  let knownVersion: number | null = null;

  function begin(): Sighting & Commit {
    const noted: { events: NewUsageEvent[]; version: number }[] = [];
    return {
      version: knownVersion,
      isKnown: ({ user_id, agent_id, session_id }) => {
        const one = known.get(session_id);
        return one !== undefined && agent_id != null && one.user_id === user_id && one.agents.includes(agent_id);
      },
      wrote: (events, version) => noted.push({ events, version }),
      committed: () => {
        for (const { events, version } of noted) remember(events, version);
      },
    };
  }

  function remember(events: NewUsageEvent[], version: number): void {
    if (version !== knownVersion) known.clear();
    knownVersion = version;
    for (const { user_id, agent_id, session_id } of events) {
      // Has no row.
      if (agent_id == null) continue;
      const one = known.get(session_id);
      // The time of the first sighting counts: sessions in progress are written again once a minute.
      if (one?.user_id !== user_id || one.agents.length >= MAX_AGENTS)
        known.set(session_id, { user_id, agents: [agent_id] });
      else if (!one.agents.includes(agent_id)) one.agents.push(agent_id);
    }
  }

  return { begin };
}
