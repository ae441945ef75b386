import { isFinal, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import { createBatcher } from '../../lib/batcher.ts';
import { createFailureLog } from '../../lib/failure-log.ts';
import type { Platform } from '../../platform.ts';
import { type FeedEntry, type FeedPage, findHeads, type Head, listFeedEntries } from './feed-store.ts';
import { isOutage } from './watch.ts';

export type { FeedEntry };
export type Feed = ReturnType<typeof createFeed>;

const POLL_INTERVAL_MS = 200;
/** Shorter than the idle timeout of proxies. */
const SILENCE_MS = 15_000;
/** Bytes of texts read at once per listener; the last text may exceed it. A slow listener keeps them in memory. */
export const LISTENER_BYTES = 512 * 1024;
const PAGE = { limit: 20, bytes: LISTENER_BYTES };
const NOTHING: FeedPage = { entries: [], isFull: false };
/** Listeners per query. */
const LIMITS = { batch_size: 50, queue_depth: 100_000, concurrency: 1 };

interface Listener {
  session_id: string;
  sent: number;
  since: number;
  wake(isMore: boolean): void;
}

/** An entry, or null if it has been deleted, and the session as it was then or later. */
interface FeedItem {
  seq: number;
  session: Session;
  entry: FeedEntry | null;
}

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log'> {
  sessions: Sessions;
}

/**
 * Follows the entries of sessions, in any process. Entries are numbered under their session's lock, so a number is
 * enough to resume. A single query at a time covers all followed sessions; none runs without listeners.
 */
export function createFeed({ db, clock, log, sessions }: Deps) {
  const listeners = new Set<Listener>();
  const failures = createFailureLog(log, 'polling for session events');
  let watching: Promise<void> | null = null;

  const read = createBatcher<{ session_id: string; after: number }, FeedPage>({
    runBatch: async (asked) => {
      // Concurrent listeners of one call share a read.
      const keys = asked.map(({ session_id, after }) => `${session_id} ${after}`);
      const unique = [...new Map(asked.map((one, index) => [keys[index], one])).values()];
      const found = await listFeedEntries(db, unique, PAGE);
      const byKey = new Map(unique.map((one, index) => [`${one.session_id} ${one.after}`, found[index] ?? NOTHING]));
      return keys.map((key) => byKey.get(key) ?? NOTHING);
    },
    limits: LIMITS,
  });

  /**
   * Entries of the session after the entry `after`, then new ones as they are committed, until the session has ended
   * and all are sent, it is erased, or `signal` fires. Yields null after 15 seconds of silence. Survives database
   * outages.
   */
  async function* follow(session_id: string, after: number, signal: AbortSignal): AsyncGenerator<FeedItem | null> {
    let sent = after;
    for (let isMore = true; !signal.aborted; isMore = await moved(session_id, sent, signal)) {
      if (!isMore) yield null;
      for (let isPage = isMore; isPage; ) {
        const { session, found, isFull } = await readOn(session_id, sent);
        if (!session) break;
        for (const entry of session.erased_at ? [] : found) {
          yield { seq: entry.seq, session, entry };
          if (signal.aborted) return;
          sent = entry.seq;
        }
        // A missing entry was deleted: it had been committed together with its number.
        if (!isFull && session.last_event > sent) {
          sent = session.last_event;
          yield { seq: sent, session, entry: null };
        }
        if (isOver(session, sent)) return;
        isPage = isFull;
      }
    }
  }

  /**
   * Without a session if the database is unavailable. Entries committed after the session was read are left for the
   * next time.
   */
  async function readOn(session_id: string, after: number) {
    try {
      const session = await sessions.get(session_id, null);
      const { entries, isFull } = await read({ session_id, after });
      const known = entries.filter(({ seq }) => seq <= session.last_event);
      return { session, found: known, isFull: isFull && known.length === entries.length };
    } catch (err) {
      if (!isOutage(err)) throw err;
      log.warn({ err, session_id }, 'reading the events of a session failed; it will be retried');
      return { session: null, found: [], isFull: false };
    }
  }

  /**
   * Whether there is more than `sent`: true if so or if the session has ended; false after a silence, or when
   * stopped.
   */
  function moved(session_id: string, sent: number, stopped: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const wake = (isMore: boolean) => {
        listeners.delete(listener);
        stopped.removeEventListener('abort', stop);
        resolve(isMore);
      };
      const stop = () => wake(false);
      const listener = { session_id, sent, since: clock.now().getTime(), wake };
      if (stopped.aborted) return resolve(false);
      stopped.addEventListener('abort', stop);
      listeners.add(listener);
      watching ??= watch();
    });
  }

  async function watch(): Promise<void> {
    while (listeners.size > 0) {
      await clock.sleep(POLL_INTERVAL_MS);
      if (listeners.size > 0)
        await look().then(
          () => failures.succeeded(),
          (err: unknown) => failures.failed(err),
        );
      const silentSince = clock.now().getTime() - SILENCE_MS;
      for (const { since, wake } of [...listeners]) if (since <= silentSince) wake(false);
    }
    watching = null;
  }

  async function look(): Promise<void> {
    const heads = await findHeads(db, [...new Set([...listeners].map(({ session_id }) => session_id))]);
    const byId = new Map(heads.map((head) => [head.id, head]));
    for (const { session_id, sent, wake } of [...listeners]) {
      const head = byId.get(session_id);
      if (head && (head.last_event > sent || isOver(head, sent))) wake(true);
    }
  }

  return {
    follow,
    /** Whether nothing will follow the entry `sent`. */
    isOver,
    /** Resolves when there are no listeners left. */
    settled: async () => {
      await watching;
    },
  };
}

function isOver(head: Pick<Head, 'last_event' | 'status' | 'erased_at'>, sent: number): boolean {
  return head.erased_at !== null || (isFinal(head) && head.last_event <= sent);
}
