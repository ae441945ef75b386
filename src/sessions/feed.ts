import { isDatabaseUnavailable } from '../db/database.ts';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { Logger } from '../lib/log.ts';
import { createTogether } from '../lib/together.ts';
import { findHeads, type Happening, type Head, listHappenings } from './feed-store.ts';
import { isFinal, type Session, type Sessions } from './sessions.ts';

export type { Happening };
export type Feed = ReturnType<typeof createFeed>;

const LOOK_EVERY_MS = 200;
/** Shorter than proxies wait for a sign of life. */
const SILENCE_MS = 15_000;
/** Entries read at once for one listener; a slow one keeps that many in memory. */
const PAGE = 20;
/** Listeners served by one query. */
const MOST = { at_once: 50, waiting: 100_000, under_way: 1 };

interface Listener {
  session_id: string;
  told: number;
  since: number;
  wake(isMore: boolean): void;
}

/** Something that happened, or null where it has been deleted, and the session as it is then or later. */
interface Told {
  seq: number;
  session: Session;
  happening: Happening | null;
}

interface Deps {
  db: Db;
  clock: Clock;
  log: Logger;
  sessions: Sessions;
}

/**
 * Follows what happens in sessions, in whichever process it happens. Entries are numbered under their session's lock,
 * so a number is enough to go on from. One query at a time asks for all sessions that are followed, and none while
 * nobody listens.
 */
export function createFeed({ db, clock, log, sessions }: Deps) {
  const listeners = new Set<Listener>();
  let watching: Promise<void> | null = null;

  const read = createTogether<{ session_id: string; after: number }, Happening[]>({
    doAll: async (asked) => {
      // Many may listen to one call.
      const keys = asked.map(({ session_id, after }) => `${session_id} ${after}`);
      const unique = [...new Map(asked.map((one, index) => [keys[index], one])).values()];
      const found = await listHappenings(db, unique, PAGE);
      const byKey = new Map(unique.map((one, index) => [`${one.session_id} ${one.after}`, found.get(index) ?? []]));
      return keys.map((key) => byKey.get(key) ?? []);
    },
    most: MOST,
  });

  /**
   * Entries of the session after the entry `after`, then new ones as they are committed, until the session has ended
   * and all are sent, it is erased, or `signal` fires. Gives null when there was nothing to tell for 15 seconds. Goes
   * on when the database is away.
   */
  async function* follow(session_id: string, after: number, signal: AbortSignal): AsyncGenerator<Told | null> {
    let told = after;
    for (let isMore = true; !signal.aborted; isMore = await moved(session_id, told, signal)) {
      if (!isMore) yield null;
      for (let isPage = isMore; isPage; ) {
        const { session, found, isFull } = await readOn(session_id, told);
        if (!session) break;
        for (const happening of session.erased_at ? [] : found) {
          yield { seq: happening.seq, session, happening };
          if (signal.aborted) return;
          told = happening.seq;
        }
        // A missing entry was deleted: it had been committed together with its number.
        if (!isFull && session.last_event > told) {
          told = session.last_event;
          yield { seq: told, session, happening: null };
        }
        if (isOver(session, told)) return;
        isPage = isFull;
      }
    }
  }

  /**
   * Without a session when the database cannot tell now. What came after the session was read is left for the next
   * time.
   */
  async function readOn(session_id: string, after: number) {
    try {
      const session = await sessions.get(session_id, null);
      const found = await read({ session_id, after });
      const known = found.filter(({ seq }) => seq <= session.last_event);
      return { session, found: known, isFull: known.length === PAGE };
    } catch (err) {
      if (!isPassing(err)) throw err;
      log.warn({ err, session_id }, 'what happened in a session could not be read; it is tried again');
      return { session: null, found: [], isFull: false };
    }
  }

  /**
   * Whether there is more than `told`: resolves when there is, or the session has ended; with false after a silence, or
   * when stopped.
   */
  function moved(session_id: string, told: number, stopped: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const wake = (isMore: boolean) => {
        listeners.delete(listener);
        stopped.removeEventListener('abort', stop);
        resolve(isMore);
      };
      const stop = () => wake(false);
      const listener = { session_id, told, since: clock.now().getTime(), wake };
      if (stopped.aborted) return resolve(false);
      stopped.addEventListener('abort', stop);
      listeners.add(listener);
      watching ??= watch();
    });
  }

  async function watch(): Promise<void> {
    while (listeners.size > 0) {
      await clock.sleep(LOOK_EVERY_MS);
      if (listeners.size > 0)
        await look().catch((err: unknown) => log.warn({ err }, 'looking for what happened failed; it is tried again'));
      const silentSince = clock.now().getTime() - SILENCE_MS;
      for (const { since, wake } of [...listeners]) if (since <= silentSince) wake(false);
    }
    watching = null;
  }

  async function look(): Promise<void> {
    const heads = await findHeads(db, [...new Set([...listeners].map(({ session_id }) => session_id))]);
    const byId = new Map(heads.map((head) => [head.id, head]));
    for (const { session_id, told, wake } of [...listeners]) {
      const head = byId.get(session_id);
      if (head && (head.last_event > told || isOver(head, told))) wake(true);
    }
  }

  return {
    follow,
    /** Whether whoever was told everything up to `told` will never be told more. */
    isOver,
    /** Resolves when nobody listens any more. */
    settled: async () => {
      await watching;
    },
  };
}

function isOver(head: Pick<Head, 'last_event' | 'status' | 'erased_at'>, told: number): boolean {
  return head.erased_at !== null || (isFinal(head) && head.last_event <= told);
}

function isPassing(error: unknown): boolean {
  return error instanceof AppError || (error instanceof Error && isDatabaseUnavailable(error));
}
