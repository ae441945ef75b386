import { takeSnapshot } from '../../db/snapshots.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { isAsNew, type Snapshot } from '../../lib/stream-position.ts';
import { findActive } from './activity-store.ts';

const LOOK_EVERY_MS = 200;
/** Shorter than proxies wait for a sign of life. */
const SILENCE_MS = 15_000;

/** How far the listener is by then, and whether there is more. */
interface Moved {
  seen: Snapshot;
  isMore: boolean;
}

interface Listener {
  user_id: string | null;
  seen: Snapshot;
  since: number;
  wake(isMore: boolean): void;
}

/**
 * Wakes listeners when something has happened in the calls of their user (null: of any user), in whichever process.
 * One query at a time asks for all of them, and none while nobody listens.
 */
export function createWatch({ db, clock, log }: { db: Db; clock: Clock; log: Logger }) {
  const listeners = new Set<Listener>();
  let followers = 0;
  let looked: Snapshot | null = null;
  let watching: Promise<void> | null = null;

  /** Resolves when there is more than `seen`; without more after a silence, or when stopped. */
  function moved(user_id: string | null, seen: Snapshot, stopped: AbortSignal): Promise<Moved> {
    // Rows between the two have been looked at, without this listener.
    if (stopped.aborted || (looked && !isAsNew(seen, looked)))
      return Promise.resolve({ seen, isMore: !stopped.aborted });
    return new Promise((resolve) => {
      const wake = (isMore: boolean) => {
        listeners.delete(listener);
        stopped.removeEventListener('abort', stop);
        resolve({ seen: listener.seen, isMore });
      };
      const stop = () => wake(false);
      const listener = { user_id, seen, since: clock.now().getTime(), wake };
      stopped.addEventListener('abort', stop);
      listeners.add(listener);
    });
  }

  /** Begins to look, for as long as `leave` has not been called as often. */
  function enter(): void {
    followers++;
    watching ??= watch();
  }

  function leave(): void {
    followers--;
  }

  async function watch(): Promise<void> {
    while (followers > 0) {
      await clock.sleep(LOOK_EVERY_MS);
      if (followers > 0)
        await look().catch((err: unknown) => log.warn({ err }, 'polling for events failed; it will be retried'));
      const silentSince = clock.now().getTime() - SILENCE_MS;
      for (const { since, wake } of [...listeners]) if (since <= silentSince) wake(false);
    }
    looked = null;
    watching = null;
  }

  async function look(): Promise<void> {
    const asked = new Set(listeners);
    const until = await takeSnapshot(db);
    if (!looked) wakeBehind(until);
    else if (isAsNew(looked, until)) return;
    else await wakeActive(asked, { seen: looked, until });
    looked = until;
  }

  async function wakeActive(asked: Set<Listener>, span: { seen: Snapshot; until: Snapshot }): Promise<void> {
    if (asked.size === 0) return wakeBehind(span.until);
    const users = [...asked].map(({ user_id }) => user_id);
    const named = users.filter((user_id) => user_id !== null);
    const active = await findActive(db, named.length < users.length ? null : [...new Set(named)], span);
    for (const listener of asked) {
      const { user_id, wake } = listener;
      if (user_id === null ? active.size > 0 : active.has(user_id)) wake(true);
      else if (!isAsNew(listener.seen, span.until)) listener.seen = span.until;
    }
    wakeBehind(span.until);
  }

  /** Those who came meanwhile were not asked for. */
  function wakeBehind(until: Snapshot): void {
    for (const { seen, wake } of [...listeners]) if (!isAsNew(seen, until)) wake(true);
  }

  return {
    moved,
    enter,
    leave,
    /** Resolves when nobody follows any more. */
    settled: async () => {
      await watching;
    },
  };
}
