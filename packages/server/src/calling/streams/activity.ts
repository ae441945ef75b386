import type { Sessions } from '../../conversations/sessions/sessions.ts';
import { type Span, takeSnapshot } from '../../db/snapshots.ts';
import { createBatcher } from '../../lib/batcher.ts';
import { isAtLeastAsNew, type Place, type Position, positionText } from '../../lib/stream-position.ts';
import type { Platform } from '../../platform.ts';
import { createActivityEvents, placeOf } from './activity-events.ts';
import { countEntries, type Entry, listEntries, readCosts } from './activity-store.ts';
import { createWatch, isOutage } from './watch.ts';

export type Activity = ReturnType<typeof createActivity>;

/** Maximum entries, of all users, that a resumed stream may have missed; beyond it the stream is reset. */
export const MAX_MISSED = 20_000;
/** Entries per query without transcripts, and entries whose transcripts and costs are read together. */
const PAGE = 1000;
const SLICE = 20;
const RETRY_MS = 200;
/** A reader that took longer than this for a page is treated like one that was disconnected. */
const SLOW_MS = 60_000;
/** Readers per batch, readers that may queue, and concurrent batches. */
const LIMITS = { batch_size: 50, queue_depth: 100_000, concurrency: 2 };

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log'> {
  sessions: Sessions;
}

/** A listener's selection: the user, and whether each cost includes the call's total so far. */
interface Wanted {
  /** Null: all users. */
  user_id: string | null;
  withTotals: boolean;
}

/** Where a stream starts, and whether entries before it were missed. */
interface Start {
  position: Position;
  isReset: boolean;
}

interface Asked extends Wanted, Span {
  after: Place | null;
}

/** A page of entries, and the total costs of the calls in it, if requested. */
interface Page {
  entries: Entry[];
  totals: Map<string, string> | null;
}

/** Follows all calls and campaigns of a user, in any process, by the transactions that the reader has seen. */
export function createActivity({ db, clock, log, sessions }: Deps) {
  const watch = createWatch({ db, clock, log });
  const eventsOf = createActivityEvents({ db, sessions });

  const find = createBatcher<Asked, Page>({
    runBatch: async (asked) => {
      // Concurrent readers of one user share a page.
      const found = new Map<string, Promise<Page>>();
      const keys = asked.map((one) => JSON.stringify(one));
      for (const [index, one] of asked.entries()) {
        const key = keys[index] ?? '';
        if (!found.has(key)) found.set(key, readPage(one));
        await found.get(key);
      }
      return Promise.all(keys.map((key) => found.get(key) as Promise<Page>));
    },
    limits: LIMITS,
  });

  async function readPage({ user_id, withTotals, after, ...span }: Asked): Promise<Page> {
    const entries = await listEntries(db, user_id, span, after, PAGE);
    // Read after the entries: the total with a call's newest cost then includes all of its costs.
    return { entries, totals: withTotals ? await readCosts(db, [...costly(entries)]) : null };
  }

  /** Finds where a stream starts: after the position if nothing was lost since, otherwise, and for null, now. */
  async function start(after: Position | null): Promise<Start> {
    const now = await takeSnapshot(db);
    if (!after) return { position: { seen: now }, isReset: false };
    const isKnown = isAtLeastAsNew(now, after.seen) && isAtLeastAsNew(now, after.rest?.until ?? after.seen);
    const isLost = !isKnown || (await countEntries(db, { seen: after.seen, until: now }, MAX_MISSED + 1)) > MAX_MISSED;
    return { position: isLost ? { seen: now } : after, isReset: isLost };
  }

  /**
   * Events from there on, as they are committed, until `signal` fires. Each has the position after it. Survives
   * database outages.
   */
  async function* follow(wanted: Wanted, from: Start, signal: AbortSignal) {
    const at = { position: from.position, readAt: clock.now().getTime() };
    watch.enter();
    try {
      yield beginOf(from);
      while (!signal.aborted) {
        try {
          yield* catchUp(wanted, at, signal);
        } catch (err) {
          if (!isOutage(err)) throw err;
          log.warn({ err }, 'reading events failed; it will be retried');
          yield null;
          await clock.sleep(RETRY_MS);
          continue;
        }
        if (signal.aborted || at.position.rest) continue;
        const { seen, isMore } = await watch.moved(wanted.user_id, at.position.seen, signal);
        at.position = { seen };
        // A keep-alive, with a newer position so that less has to be searched on resume.
        if (!isMore) yield { id: positionText(at.position) };
      }
    } finally {
      watch.leave();
    }
  }

  /** One page of events, and moves `at` on; a reader that was slow starts again if it has missed too much. */
  async function* catchUp(wanted: Wanted, at: { position: Position; readAt: number }, signal: AbortSignal) {
    const again = clock.now().getTime() - at.readAt > SLOW_MS ? await start(at.position) : null;
    if (again?.isReset) yield beginOf(again);
    at.position = again?.position ?? at.position;
    at.readAt = clock.now().getTime();
    for await (const { after, event } of pageAfter(wanted, at.position)) {
      at.position = after;
      if (event) yield { ...event, id: positionText(at.position) };
      if (signal.aborted) return;
    }
  }

  /** Each event with the position after it; the last one with that of the page. */
  async function* pageAfter(wanted: Wanted, { seen, rest }: Position) {
    const until = rest?.until ?? (await takeSnapshot(db));
    if (!rest && isAtLeastAsNew(seen, until)) return;
    const { entries, totals } = await find({ ...wanted, seen, until, after: rest?.after ?? null });
    for (let at = 0; at < entries.length; at += SLICE)
      for (const { place, ...event } of await eventsOf(entries.slice(at, at + SLICE), totals))
        yield { after: { seen, rest: { until, after: place } }, event };
    const last = entries.at(PAGE - 1);
    yield { after: last ? { seen, rest: { until, after: placeOf(last) } } : { seen: until }, event: null };
  }

  return { start, follow, settled: watch.settled };
}

function beginOf({ position, isReset }: Start) {
  return { id: positionText(position), ...(isReset && { event: 'reset', data: {} }) };
}

function costly(entries: Entry[]): Set<string> {
  return new Set(entries.flatMap((entry) => (entry.kind === 'cost' ? [entry.session_id] : [])));
}
