import { isDatabaseUnavailable } from '../../db/database.ts';
import { type Span, takeSnapshot } from '../../db/snapshots.ts';
import type { Db } from '../../db/tables.ts';
import { createBatcher } from '../../lib/batcher.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/log.ts';
import { isAsNew, type Place, type Position, positionText } from '../../lib/stream-position.ts';
import type { Sessions } from '../sessions/sessions.ts';
import {
  costKey,
  countEntries,
  type Entry,
  findTranscripts,
  listEntries,
  readCosts,
  type Said,
} from './activity-store.ts';
import { wholeCallData } from './call-events.ts';
import { createWatch } from './watch.ts';

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

interface Deps {
  db: Db;
  clock: Clock;
  log: Logger;
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

/** Follows all calls of a user, in any process, by the transactions that the reader has seen. */
export function createActivity({ db, clock, log, sessions }: Deps) {
  const watch = createWatch({ db, clock, log });

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
    const isKnown = isAsNew(now, after.seen) && isAsNew(now, after.rest?.until ?? after.seen);
    const isLost = !isKnown || (await countEntries(db, { seen: after.seen, until: now }, MAX_MISSED + 1)) > MAX_MISSED;
    return { position: isLost ? { seen: now } : after, isReset: isLost };
  }

  /**
   * Events from there on, as they are committed, until `signal` fires. Each has the position after it. Survives
   * database outages.
   */
  async function* follow(wanted: Wanted, from: Start, signal: AbortSignal) {
    const { user_id } = wanted;
    let { position } = from;
    watch.enter();
    try {
      yield beginOf(from);
      for (let readAt = clock.now().getTime(); !signal.aborted; ) {
        try {
          const again = clock.now().getTime() - readAt > SLOW_MS ? await start(position) : null;
          if (again?.isReset) yield beginOf(again);
          position = again?.position ?? position;
          readAt = clock.now().getTime();
          for await (const { after, event } of pageAfter(wanted, position)) {
            position = after;
            if (event) yield { ...event, id: positionText(position) };
            if (signal.aborted) return;
          }
        } catch (err) {
          if (!isPassing(err)) throw err;
          log.warn({ err }, 'reading events failed; it will be retried');
          yield null;
          await clock.sleep(RETRY_MS);
          continue;
        }
        if (position.rest) continue;
        const { seen, isMore } = await watch.moved(user_id, position.seen, signal);
        position = { seen };
        // A keep-alive, with a newer position so that less has to be searched on resume.
        if (!isMore) yield { id: positionText(position) };
      }
    } finally {
      watch.leave();
    }
  }

  /** Each event with the position after it; the last one with that of the page. */
  async function* pageAfter(wanted: Wanted, { seen, rest }: Position) {
    const until = rest?.until ?? (await takeSnapshot(db));
    if (!rest && isAsNew(seen, until)) return;
    const { entries, totals } = await find({ ...wanted, seen, until, after: rest?.after ?? null });
    for (let at = 0; at < entries.length; at += SLICE)
      for (const { place, ...event } of await eventsOf(entries.slice(at, at + SLICE), totals))
        yield { after: { seen, rest: { until, after: place } }, event };
    const last = entries.at(PAGE - 1);
    yield { after: last ? { seen, rest: { until, after: placeOf(last) } } : { seen: until }, event: null };
  }

  /** Without entries that were erased or deleted meanwhile. */
  async function eventsOf(entries: Entry[], totals: Map<string, string> | null) {
    const said = await findTranscripts(
      db,
      entries.flatMap(({ kind, id }) => (kind === 'transcript' ? [id] : [])),
    );
    const events = await Promise.all(entries.map((entry) => eventOf(entry, said, totals)));
    return events.filter((event) => event !== null);
  }

  async function eventOf(entry: Entry, said: Map<string, Said>, totals: Map<string, string> | null) {
    const { kind: event, id, at, session_id } = entry;
    const place = placeOf(entry);
    if (entry.kind === 'call') {
      const call = await sessions.get(entry.session_id, null);
      return call.erased_at ? null : { event, place, data: wholeCallData(call, { ...entry.data, at }) };
    }
    if (entry.kind === 'transcript') {
      const words = said.get(id);
      return words ? { event, place, data: { ...words, session_id, timestamp: at } } : null;
    }
    if (entry.kind === 'cost' && totals) {
      const call_total_cost = totals.get(costKey({ session_id: entry.session_id, ...entry.data })) ?? '0';
      return { event, place, data: { id, session_id, ...entry.data, call_total_cost, at } };
    }
    if (entry.kind === 'turn') {
      const end_of_speech_at = new Date(entry.data.end_of_speech_at);
      return { event, place, data: { session_id, ...entry.data, end_of_speech_at, at } };
    }
    return { event, place, data: { id, session_id, ...entry.data, at } };
  }

  return { start, follow, settled: watch.settled };
}

function beginOf({ position, isReset }: Start) {
  return { id: positionText(position), ...(isReset && { event: 'reset', data: {} }) };
}

function costly(entries: Entry[]): Set<string> {
  return new Set(entries.flatMap((entry) => (entry.kind === 'cost' ? [entry.session_id] : [])));
}

function placeOf({ grp, seq, id }: Entry): Place {
  return { grp, seq, id };
}

function isPassing(error: unknown): boolean {
  return error instanceof AppError || (error instanceof Error && isDatabaseUnavailable(error));
}
