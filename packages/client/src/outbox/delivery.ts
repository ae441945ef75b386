import type { Switchboard } from '../client.ts';
import { sleep } from '../retry.ts';
import { createBatches } from './batches.ts';
import type { Files, Item, ItemName } from './files.ts';
import { isKeyed, type Outcome, sendItem } from './send.ts';

/** Loggers such as pino's have this form. */
export interface OutboxLog {
  warn(about: object, text: string): void;
  error(about: object, text: string): void;
}

export interface DeliveryOptions {
  /** A client without a user: each item names its own. */
  client: Switchboard;
  log: OutboxLog;
  /** Milliseconds between two looks into the folder. 200 by default. */
  pollMs?: number;
  /** The pause before the first repetition; each further one is twice as long, up to the longest. */
  firstPauseMs?: number;
  longestPauseMs?: number;
}

export interface Delivery {
  /** Waits until everything is delivered, for so long; what is left then stays for the next start. */
  stop(withinMs: number): Promise<void>;
}

/** Requests under way at a time: a backlog must not fall upon a service that has just come back. */
const AT_ONCE = 4;
/** The service keeps keys for 24 hours. An hour is left for clocks that differ, and for the request itself. */
const KEY_KEPT_MS = 23 * 60 * 60_000;

/** Sends what is in the folder, until it is stopped. What it finds there at its start was left by the run before. */
export function startDelivery(files: Files, options: DeliveryOptions): Delivery {
  const { client, log, pollMs = 200, firstPauseMs = 500, longestPauseMs = 5_000 } = options;
  const stopping = new AbortController();
  const lanes = new Map<string, Promise<void>>();
  const limited = limit(AT_ONCE);
  const batches = createBatches(files, read);

  async function look(): Promise<void> {
    // Before the list: a lane that ends while it is read has sent some of what is on it.
    const busy = new Set(lanes.keys());
    const waiting = new Map<string, ItemName[]>();
    for (const name of await files.list()) {
      const names = waiting.get(name.lane);
      if (names) names.push(name);
      else waiting.set(name.lane, [name]);
    }
    for (const [lane, names] of waiting) {
      if (busy.has(lane)) continue;
      const work = deliverAll(names)
        .catch((error: unknown) => log.error({ err: error, lane }, 'the outbox could not be read or written'))
        .finally(() => lanes.delete(lane));
      lanes.set(lane, work);
    }
  }

  /** One after another: transcripts are listed in the order in which they arrive. */
  async function deliverAll(names: ItemName[]): Promise<void> {
    while (names.length > 0 && !stopping.signal.aborted) {
      const next = await batches.next(names);
      if (next && !(await deliver(next.name, next.item, names))) return;
    }
  }

  async function read(name: ItemName): Promise<Item | null> {
    try {
      return await files.read(name);
    } catch (error) {
      log.error({ err: error, file: name.file }, 'an item cannot be read; it was put aside in refused/');
      await files.putAside(name, 'refused');
      return null;
    }
  }

  /**
   * Repeats the request until the service takes or refuses it; false when this run ends before. The halves of a batch
   * that was refused are put before the rest of the lane.
   */
  async function deliver(found: ItemName, item: Item, rest: ItemName[]): Promise<boolean> {
    let name = found;
    let mayHaveArrived = found.sentAt !== null;
    for (let attempt = 0; ; attempt++) {
      if (name.sentAt !== null && isKeyed(item) && Date.now() - name.sentAt > KEY_KEPT_MS) {
        log.error({ file: name.file }, 'an item may have arrived a day ago; it was put aside in uncertain/');
        await files.putAside(name, 'uncertain');
        return true;
      }
      // Before the attempt: who is killed during it does not know whether it has arrived.
      name = await files.mark(name, name.sentAt ?? Date.now());
      const outcome = await limited(() => sendItem(client, item, name.key, stopping.signal));
      if (outcome.kind === 'refused' && item.gathered?.length) {
        rest.unshift(...(await batches.split(name, item)));
        return true;
      }
      if (outcome.kind !== 'later') {
        await settle(name, outcome);
        return true;
      }
      if (stopping.signal.aborted) return false;
      mayHaveArrived ||= outcome.hasArrived;
      if (!mayHaveArrived) name = await files.mark(name, null);
      await pause(attempt, item, outcome);
      if (stopping.signal.aborted) return false;
    }
  }

  async function settle(name: ItemName, outcome: Exclude<Outcome, { kind: 'later' }>): Promise<void> {
    if (outcome.kind === 'delivered') return files.remove(name);
    log.error({ file: name.file, why: outcome.why }, 'Switchboard refused an item; it was put aside in refused/');
    await files.putAside(name, 'refused');
  }

  async function pause(attempt: number, { operation }: Item, { why, retryAfterMs }: Outcome & { kind: 'later' }) {
    // Random, so that many calls, and many workers, do not all come back in the same instant.
    const backoff = Math.min(firstPauseMs * 2 ** Math.min(attempt, 20), longestPauseMs) * (0.5 + Math.random() / 2);
    const ms = Math.max(backoff, retryAfterMs);
    // Less and less often: an hour without the service is known after the first minute.
    if (Number.isInteger(Math.log2(attempt + 1)))
      log.warn({ operation, attempt, why, again_in_ms: Math.round(ms) }, 'not delivered yet');
    await sleep(ms, stopping.signal).catch(() => {});
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
      await Promise.all([running, ...lanes.values()]);
    },
  };
}

/** Lets so many pieces of work run at a time. */
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
