import { FifoMap } from 'toad-cache';
import type { NewUsageEvent, Sighting } from './store.ts';

/** Sessions remembered; one that was dropped costs a statement a little time. */
const REMEMBERED = 20_000;
/** A database that has lost its last commits, in a failover, gets the sessions in progress again after this time. */
const FORGOTTEN_AFTER_MS = 60_000;

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
  const known = new FifoMap<true>(REMEMBERED, FORGOTTEN_AFTER_MS);
  let knownVersion: number | null = null;

  function begin(): Sighting & Commit {
    const noted: { events: NewUsageEvent[]; version: number }[] = [];
    return {
      version: knownVersion,
      isKnown: (event) => event.agent_id != null && known.get(keyOf(event)) === true,
      saw: (events, version) => noted.push({ events, version }),
      committed: () => {
        for (const { events, version } of noted) remember(events, version);
      },
    };
  }

  function remember(events: NewUsageEvent[], version: number): void {
    if (version !== knownVersion) known.clear();
    knownVersion = version;
    for (const event of events) {
      // Has no row, and an agent may be called "null".
      if (event.agent_id == null) continue;
      const key = keyOf(event);
      // The time of the first sighting counts: sessions in progress are written again once a minute.
      if (known.get(key) === undefined) known.set(key, true);
    }
  }

  return { begin };
}

// No accepted text contains NUL.
const keyOf = ({ user_id, agent_id, session_id }: NewUsageEvent): string => `${user_id}\0${agent_id}\0${session_id}`;
