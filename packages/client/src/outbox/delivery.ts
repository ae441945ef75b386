import type { Switchboard } from '../client.ts';
import { sleep } from '../retry.ts';
import { type Files, type ItemName, isSingleItemLane } from './files.ts';
import { createRounds, type Doubts, doubtsAfter, NO_DOUBTS, type Round } from './rounds.ts';
import { sendItem } from './send.ts';

/** Compatible with pino and similar loggers. */
export interface OutboxLog {
  warn(about: object, text: string): void;
  error(about: object, text: string): void;
}

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
  /** Waits up to `withinMs` for everything to be delivered; what remains stays for the next start. */
  stop(withinMs: number): Promise<void>;
}

/** Concurrent requests: a backlog must not flood a service that has just recovered. */
const CONCURRENCY = 4;
/** Additional delay of an item that fails by its own fault. Ten minutes by default. */
const BESIDE_PAUSES = 120;
/** Items that a round may try before its delay grows with their number. */
const TRIES = 10;

/** A paused lane. */
interface Pause {
  /** Consecutive rounds without progress. */
  rounds: number;
  doubts: Doubts;
  /** The key of the first item, to which the suspicions belong. */
  head: string | undefined;
  /** When the next round is due, by `performance.now()`. */
  dueAt: number;
}

/** Sends the items in the folder until it is stopped. Those found at the start were left by the previous run. */
export function startDelivery(files: Files, options: DeliveryOptions): Delivery {
  const { client, log, pollMs = 200, firstPauseMs = 500, longestPauseMs = 5_000 } = options;
  const stopping = new AbortController();
  const busy = new Map<string, Promise<void>>();
  const pauses = new Map<string, Pause>();
  const limited = limit(CONCURRENCY);
  const rounds = createRounds(files, (item, key) => limited(() => sendItem(client, item, key, stopping.signal)), log);

  async function look(): Promise<void> {
    // Read before the list: a lane that ends meanwhile has sent some of the items on it.
    const before = new Set(busy.keys());
    const waiting = byLane(await files.list());
    for (const lane of pauses.keys()) if (!waiting.has(lane) && !before.has(lane)) pauses.delete(lane);
    for (const [lane, names] of waiting) {
      if (before.has(lane) || (pauses.get(lane)?.dueAt ?? 0) > performance.now()) continue;
      const work = deliverLane(lane, names)
        .catch((error: unknown) => pauseBroken(lane, error))
        .finally(() => busy.delete(lane));
      busy.set(lane, work);
    }
  }

  /** Sequentially: transcripts are listed in the order of their arrival. */
  async function deliverLane(lane: string, names: ItemName[]): Promise<void> {
    const pause = pauses.get(lane);
    let failures = pause?.rounds ?? 0;
    // Items that were put back have not failed since.
    let doubts = pause && pause.head === names[0]?.key ? pause.doubts : NO_DOUBTS;
    while (names.length > 0 && !stopping.signal.aborted) {
      const round = await rounds.run(names, doubts);
      doubts = doubtsAfter(round, doubts);
      if (round.isProgress) {
        failures = 0;
        continue;
      }
      if (stopping.signal.aborted) return;
      const dueAt = performance.now() + pauseAfter(round, lane, failures);
      pauses.set(lane, { rounds: failures + 1, doubts, head: round.failed[0]?.name.key, dueAt });
      return;
    }
    pauses.delete(lane);
  }

  /** The delay after a round without progress, which is logged. */
  function pauseAfter({ failed }: Round, lane: string, failures: number): number {
    const retryAfterMs = Math.max(0, ...failed.map(({ failure }) => failure.retryAfterMs));
    const ms = Math.max(backoffMs(lane, failures) * Math.max(1, failed.length / TRIES), retryAfterMs);
    const [first] = failed;
    // Logged less and less often: that the service is down is known after the first minute.
    if (first && Number.isInteger(Math.log2(failures + 1)))
      log.warn(
        {
          operation: first.item.operation,
          attempt: failures,
          why: first.failure.why,
          again_in_ms: Math.round(ms),
        },
        'not delivered yet',
      );
    return ms;
  }

  /** Pauses a lane whose files could not be read or written, for example on a full disk. */
  function pauseBroken(lane: string, error: unknown): void {
    log.error({ err: error, lane }, 'the outbox could not be read or written');
    const pause = pauses.get(lane) ?? { rounds: 0, doubts: NO_DOUBTS, head: undefined };
    const dueAt = performance.now() + backoffMs(lane, pause.rounds);
    pauses.set(lane, { ...pause, rounds: pause.rounds + 1, dueAt });
  }

  function backoffMs(lane: string, failures: number): number {
    const longest = isSingleItemLane(lane) ? longestPauseMs * BESIDE_PAUSES : longestPauseMs;
    // Jitter, so that many calls and workers do not return at the same moment.
    return Math.min(firstPauseMs * 2 ** Math.min(failures, 30), longest) * (0.5 + Math.random() / 2);
  }

  async function run(): Promise<void> {
    await files.removeAbandoned().catch((error: unknown) => log.error({ err: error }, 'the outbox could not be read'));
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => log.error({ err: error }, 'the outbox could not be read'));
      await sleep(pollMs, stopping.signal).catch(() => {});
    }
  }

  const running = run();
  return {
    stop: async (withinMs) => {
      const deadline = Date.now() + withinMs;
      while (Date.now() < deadline && (await files.list()).length > 0) await sleep(Math.min(pollMs, 50));
      stopping.abort();
      await Promise.all([running, ...busy.values()]);
    },
  };
}

function byLane(names: ItemName[]): Map<string, ItemName[]> {
  const lanes = new Map<string, ItemName[]>();
  for (const name of names) {
    const others = lanes.get(name.lane);
    if (others) others.push(name);
    else lanes.set(name.lane, [name]);
  }
  return lanes;
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
