import type { Switchboard } from '../client.ts';
import { sleep } from '../retry.ts';
import { type Files, type Item, type ItemName, isSingleItemLane } from './files.ts';
import { createLanes, type Failed, type OutboxLog } from './lanes.ts';
import { STOPPED, sendItem } from './send.ts';

export interface DeliveryOptions {
  /** A client without a user: each item names its own. */
  client: Switchboard;
  log: OutboxLog;
  /** Polling interval of the folder in milliseconds. 200 by default. */
  pollMs?: number;
  /** Delay before the first retry in milliseconds; doubled for each further one, up to the maximum. */
  firstPauseMs?: number;
  longestPauseMs?: number;
}

export interface Delivery {
  /**
   * Waits up to `withinMs` for everything to be delivered, also what this process is still writing; what remains stays
   * for the next start. A disk that fails has three seconds even if `withinMs` is less.
   */
  stop(withinMs: number): Promise<void>;
}

/** Concurrent requests: a backlog must not flood a service that has just recovered. */
const CONCURRENCY = 4;
/** Those with audio, beside them: a storage that is slow must not hold up transcripts. */
const AUDIO_CONCURRENCY = 2;
/** Additional delay of an item that fails by its own fault. Ten minutes by default. */
const BESIDE_PAUSES = 120;
/** Items that may fail in a row before the delay grows with their number. */
const TRIES = 10;

/**
 * Sends the items in the folder until it is stopped. Those found at the start were left by the previous run. While
 * another process delivers from the folder, this one waits, and takes over when that one ends.
 */
export function startDelivery(files: Files, options: DeliveryOptions): Delivery {
  const { client, log, pollMs = 200, firstPauseMs = 500, longestPauseMs = 5_000 } = options;
  const stopping = new AbortController();
  const busy = new Map<string, Promise<void>>();
  /** Paused lanes: how often they have failed in a row, and when they are due, by `performance.now()`. */
  const pauses = new Map<string, { failures: number; dueAt: number }>();
  const [limited, limitedAudio] = [limit(CONCURRENCY), limit(AUDIO_CONCURRENCY)];
  const limitOf = ({ operation }: Item) => (operation === 'addRecordingSegment' ? limitedAudio : limited);
  const lanes = createLanes({
    files,
    inTurn: (name, item, attempt) =>
      limitOf(item)(async () => (stopping.signal.aborted ? { name, item, outcome: STOPPED } : attempt())),
    send: (item, key) => sendItem(client, item, key, stopping.signal),
    log,
  });

  async function look(): Promise<void> {
    // Read before the list: a lane that ends meanwhile has sent some of the items on it.
    const before = new Set(busy.keys());
    const waiting = new Map<string, ItemName[]>();
    for (const name of await files.list()) {
      const names = waiting.get(name.lane);
      if (names) names.push(name);
      else waiting.set(name.lane, [name]);
    }
    for (const lane of pauses.keys()) if (!waiting.has(lane) && !before.has(lane)) pauses.delete(lane);
    for (const [lane, names] of waiting) {
      if (before.has(lane) || (pauses.get(lane)?.dueAt ?? 0) > performance.now()) continue;
      const work = deliverLane(lane, names)
        .catch((error: unknown) => pauseBroken(lane, error))
        .finally(() => busy.delete(lane));
      busy.set(lane, work);
    }
  }

  async function deliverLane(lane: string, names: ItemName[]): Promise<void> {
    const failed = await lanes.run(names);
    const [first] = failed;
    if (!first) pauses.delete(lane);
    else if (!stopping.signal.aborted) pauseAfter(lane, first, failed);
  }

  function pauseAfter(lane: string, first: Failed, failed: Failed[]): void {
    const retryAfterMs = Math.max(...failed.map(({ outcome }) => outcome.retryAfterMs));
    const { failures, ms } = pause(lane, Math.max(1, failed.length / TRIES), retryAfterMs);
    // Logged less and less often: that the service is down is known after the first minute.
    if (!Number.isInteger(Math.log2(failures))) return;
    const { item, outcome } = first;
    const about = { operation: item.operation, attempt: failures - 1, why: outcome.why, again_in_ms: Math.round(ms) };
    log.warn(about, 'not delivered yet');
  }

  /** Pauses a lane whose files could not be read or written, for example on a full disk. */
  function pauseBroken(lane: string, error: unknown): void {
    log.error({ err: error, lane }, 'the outbox could not be read or written');
    pause(lane);
  }

  function pause(lane: string, factor = 1, leastMs = 0): { failures: number; ms: number } {
    const before = pauses.get(lane)?.failures ?? 0;
    const longest = isSingleItemLane(lane) ? longestPauseMs * BESIDE_PAUSES : longestPauseMs;
    // Jitter, so that many calls and workers do not return at the same moment.
    const backoff = Math.min(firstPauseMs * 2 ** Math.min(before, 30), longest) * (0.5 + Math.random() / 2);
    const ms = Math.max(backoff * factor, leastMs);
    pauses.set(lane, { failures: before + 1, dueAt: performance.now() + ms });
    return { failures: before + 1, ms };
  }

  /**
   * Waits until no other process delivers: each would remove events that only the other's batch contains. Returns what
   * unlocks the folder.
   */
  async function lock(): Promise<() => void> {
    for (let tries = 0; !stopping.signal.aborted; tries++) {
      const result = await files.lock().catch((error: Error) => error);
      if (typeof result === 'function') return result;
      if (tries === 0) reportUnlocked(result);
      if (result === 'unsupported') break;
      await pauseFor(pollMs);
    }
    return () => {};
  }

  function reportUnlocked(why: Error | 'held' | 'unsupported'): void {
    if (why === 'held') log.warn({}, 'another process delivers from this outbox; this one takes over when it ends');
    else if (why === 'unsupported')
      log.warn({}, 'this runtime cannot lock the outbox; make sure that only one process delivers from it');
    else log.error({ err: why }, 'the outbox cannot be locked, so nothing is sent');
  }

  const pauseFor = (ms: number): Promise<void> => sleep(ms, stopping.signal).catch(() => {});

  async function run(): Promise<void> {
    const unlock = await lock();
    await files.removeAbandoned().catch((error: unknown) => log.error({ err: error }, 'the outbox could not be read'));
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => log.error({ err: error }, 'the outbox could not be read'));
      await pauseFor(pollMs);
    }
    await Promise.all(busy.values());
    unlock();
  }

  // A disk that fails may be well again before the deadline.
  const isEmpty = (): Promise<boolean> =>
    files.list().then(
      ({ length }) => length === 0,
      () => false,
    );

  const running = run();
  return {
    stop: async (withinMs) => {
      const deadline = performance.now() + withinMs;
      while (performance.now() < deadline && !(await isEmpty())) await sleep(Math.min(pollMs, 50));
      stopping.abort();
      await running;
    },
  };
}

/** Limits concurrency. */
function limit(atOnce: number) {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
