import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, Send } from './send.ts';
import type { Item, Spool } from './spool.ts';

export interface Log {
  warn(about: object, text: string): void;
  error(about: object, text: string): void;
}

export type Delivery = ReturnType<typeof startDelivery>;

interface Options {
  spool: Spool;
  send: Send;
  log: Log;
  /** Milliseconds between two looks into the spool. */
  pollMs?: number;
  /** The pause before the first repetition; each further one is twice as long, up to the longest. */
  firstPauseMs?: number;
  longestPauseMs?: number;
}

/** Requests under way at a time: a backlog must not fall upon a service that has just come back. */
const AT_ONCE = 4;

/** Sends what is in the spool, until it is stopped. What it finds there at its start was left by the run before. */
export function startDelivery({ spool, send, log, pollMs = 200, firstPauseMs = 500, longestPauseMs = 5_000 }: Options) {
  const stopping = new AbortController();
  const lanes = new Map<string, Promise<void>>();
  const limited = limit(AT_ONCE);

  async function look(): Promise<void> {
    // Before the list: a lane that ends while it is read has sent some of what is on it.
    const busy = new Set(lanes.keys());
    for (const [lane, names] of await spool.list()) {
      if (busy.has(lane)) continue;
      const work = deliverAll(names)
        .catch((error: unknown) => log.error({ error, lane }, 'the spool could not be read or written'))
        .finally(() => lanes.delete(lane));
      lanes.set(lane, work);
    }
  }

  // One after another: transcripts are listed in the order in which they arrive.
  async function deliverAll(names: string[]): Promise<void> {
    for (const name of names) {
      const item = await read(name);
      if (!item) continue;
      const outcome = await untilAnswered(item);
      if (!outcome) return;
      if (outcome.kind === 'delivered') {
        await spool.remove(name);
      } else {
        log.error({ name, path: item.path, why: outcome.why }, 'Switchboard refused an item; it was put aside');
        await spool.refuse(name);
      }
    }
  }

  async function read(name: string): Promise<Item | null> {
    try {
      return await spool.read(name);
    } catch (error) {
      log.error({ error, name }, 'an item cannot be read; it was put aside');
      await spool.refuse(name);
      return null;
    }
  }

  /** Repeats the request until Switchboard takes or refuses it; undefined when this run ends before. */
  async function untilAnswered(item: Item): Promise<Exclude<Outcome, { kind: 'later' }> | undefined> {
    for (let attempt = 0; ; attempt++) {
      const outcome = await limited(() => send(item, stopping.signal));
      if (outcome.kind !== 'later') return outcome;
      if (stopping.signal.aborted) return;
      const ms = Math.max(pauseMs(attempt), outcome.retryAfterMs);
      // Less and less often: an hour without the service is known after the first minute.
      if (Number.isInteger(Math.log2(attempt + 1)))
        log.warn({ path: item.path, attempt, why: outcome.why, again_in_ms: Math.round(ms) }, 'not delivered yet');
      await pause(ms);
      if (stopping.signal.aborted) return;
    }
  }

  /** Random, so that many calls, and many workers, do not all come back in the same instant. */
  function pauseMs(attempt: number): number {
    return Math.min(firstPauseMs * 2 ** Math.min(attempt, 20), longestPauseMs) * (0.5 + Math.random() / 2);
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => log.error({ error }, 'the spool could not be read'));
      await pause(pollMs);
    }
  }

  const running = run();
  return {
    /** Waits until everything is delivered, for so long; what is left then stays for the next start. */
    stop: async (withinMs: number): Promise<void> => {
      const deadline = Date.now() + withinMs;
      while (Date.now() < deadline && (await spool.list()).size > 0) await sleep(50);
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
