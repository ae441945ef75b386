import { isDatabaseUnavailable } from '../../db/database.ts';
import { takeSnapshot } from '../../db/snapshots.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import type { Logger } from '../../lib/log.ts';
import { isAtLeastAsNew, type Snapshot } from '../../lib/stream-position.ts';
import { findActive } from './activity-store.ts';

const POLL_INTERVAL_MS = 200;
/** Shorter than the idle timeout of proxies. */
const SILENCE_MS = 15_000;

/** The listener's position, and whether there are entries after it. */
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
 * Wakes listeners on new entries in the calls of their user (null: of any user), from any process. A single query at
 * a time covers all of them; none runs without listeners.
 */
export function createWatch({ db, clock, log }: { db: Db; clock: Clock; log: Logger }) {
  const listeners = new Set<Listener>();
  const failures = createFailureLog(log, 'polling for events');
  let followers = 0;
  let looked: Snapshot | null = null;
  let watching: Promise<void> | null = null;

  /** Resolves when there are entries after `seen`; also after a silence, or when stopped, without any. */
  function moved(user_id: string | null, seen: Snapshot, stopped: AbortSignal): Promise<Moved> {
    // This listener was not registered when the rows between the two were checked.
    if (stopped.aborted || (looked && !isAtLeastAsNew(seen, looked)))
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

  /** Starts polling; it stops when `leave` has been called as often as `enter`. */
  function enter(): void {
    followers++;
    watching ??= watch();
  }

  function leave(): void {
    followers--;
  }

  async function watch(): Promise<void> {
    while (followers > 0) {
      await clock.sleep(POLL_INTERVAL_MS);
      if (followers > 0)
        await look().then(
          () => failures.succeeded(),
          (err: unknown) => failures.failed(err),
        );
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
    else if (isAtLeastAsNew(looked, until)) return;
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
      else if (!isAtLeastAsNew(listener.seen, span.until)) listener.seen = span.until;
    }
    wakeBehind(span.until);
  }

  /** Listeners that registered meanwhile were not part of the query. */
  function wakeBehind(until: Snapshot): void {
    for (const { seen, wake } of [...listeners]) if (!isAtLeastAsNew(seen, until)) wake(true);
  }

  return {
    moved,
    enter,
    leave,
    /** Resolves when there are no listeners left. */
    settled: async () => {
      await watching;
    },
  };
}

/** Whether a stream looks again after this failure: the database, or what is needed beside it, is away. */
export function isOutage(error: unknown): boolean {
  return error instanceof AppError || isDatabaseUnavailable(error);
}
