import type { Clock } from '../lib/clock.ts';
import type { Held } from './store.ts';

/** How often tasks are looked for that other processes have added, or that have become due, while workers wait. */
const EVERY_MS = 1_000;

interface Claim {
  kind: string;
  capacity: number;
  waitMs: number;
  /** Fires when the worker has disconnected. */
  signal: AbortSignal;
}

interface Waiter extends Pick<Claim, 'kind' | 'capacity'> {
  resolve: (tasks: Held[]) => void;
}

interface Deps {
  clock: Clock;
  /** Takes up to `room` due tasks of a kind. */
  take: (kind: string, room: number) => Promise<Held[]>;
  /** Lets go of tasks that nobody waits for any more. */
  putBack: (tasks: Held[]) => Promise<void>;
}

/** Workers that wait for tasks. One statement takes tasks for all of them, however many they are. */
export function createWaiters({ clock, take, putBack }: Deps) {
  /** Those that wait for longest come first. */
  const waiting = new Set<Waiter>();
  const stopping = new AbortController();
  let waking = new AbortController();
  let looking: Promise<void> | null = null;

  /** Tasks for a worker; none after `waitMs`. */
  async function claim({ kind, capacity, waitMs, signal }: Claim): Promise<Held[]> {
    const { promise, resolve } = Promise.withResolvers<Held[]>();
    const waiter = { kind, capacity, resolve };
    const served = new AbortController();
    waiting.add(waiter);
    if (looking) wake();
    else looking = look();
    const ended = AbortSignal.any([signal, stopping.signal, served.signal]);
    void clock.sleep(waitMs, ended).then(
      () => leave(waiter),
      () => leave(waiter),
    );
    return promise.finally(() => served.abort());
  }

  function leave(waiter: Waiter): void {
    waiting.delete(waiter);
    waiter.resolve([]);
  }

  function wake(): void {
    waking.abort();
  }

  async function look(): Promise<void> {
    while (waiting.size > 0) {
      waking = new AbortController();
      // A database that fails is asked again.
      for (const kind of new Set(Array.from(waiting, (one) => one.kind))) await serve(kind).catch(() => {});
      if (waiting.size > 0) await clock.sleep(EVERY_MS, waking.signal).catch(() => {});
    }
    looking = null;
  }

  async function serve(kind: string): Promise<void> {
    const room = [...waiting].reduce((sum, one) => sum + (one.kind === kind ? one.capacity : 0), 0);
    let tasks = await take(kind, room);
    for (const waiter of waiting) {
      if (waiter.kind !== kind || tasks.length === 0) continue;
      waiting.delete(waiter);
      waiter.resolve(tasks.slice(0, waiter.capacity));
      tasks = tasks.slice(waiter.capacity);
    }
    if (tasks.length > 0) await putBack(tasks);
  }

  return {
    claim,
    wake,
    /** Lets all workers go, also those that ask from now on. */
    stop: (): void => stopping.abort(),
  };
}
