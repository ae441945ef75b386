import type { Clock } from '../lib/clock.ts';
import type { Held } from './store.ts';

/** How often tasks are looked for that other processes have added, or that have become due, while workers wait. */
const EVERY_MS = 1_000;
/** The same for a while after a task: who chats will send another message, and waits for its answer. */
const SOON_MS = 100;
const BUSY_MS = 60_000;

export interface Claim {
  kind: string;
  /** The only user whose tasks the worker does; null if it does everybody's. */
  user_id: string | null;
  capacity: number;
  waitMs: number;
  /** Fires when the worker has disconnected. */
  signal: AbortSignal;
}

/** How many tasks of a kind workers have room for: of one user, or of all others. */
export interface Capacity extends Pick<Claim, 'kind' | 'user_id'> {
  room: number;
}

interface Waiter extends Pick<Claim, 'kind' | 'user_id' | 'capacity'> {
  resolve: (tasks: Held[]) => void;
}

interface Deps {
  clock: Clock;
  /** Takes due tasks. */
  take: (rooms: Capacity[]) => Promise<Held[]>;
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
  let busyUntil = 0;

  /** Tasks for a worker; none after `waitMs`. */
  async function claim({ kind, user_id, capacity, waitMs, signal }: Claim): Promise<Held[]> {
    const { promise, resolve } = Promise.withResolvers<Held[]>();
    const waiter = { kind, user_id, capacity, resolve };
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
      await serve().catch(() => {});
      const pause = performance.now() < busyUntil ? SOON_MS : EVERY_MS;
      if (waiting.size > 0) await clock.sleep(pause, waking.signal).catch(() => {});
    }
    looking = null;
  }

  /** Serves a user's own workers first; others get what is left of its tasks at the next look. */
  async function serve(): Promise<void> {
    const rooms = roomsOf(waiting);
    const held = await take([...rooms.values()]);
    if (held.length > 0) busyUntil = performance.now() + BUSY_MS;
    const left = new Map(Array.from(rooms, ([key, { room }]) => [key, room]));
    const hasRoom = (key: string): boolean => {
      const room = left.get(key) ?? 0;
      left.set(key, room - 1);
      return room > 0;
    };
    const taken = Map.groupBy(held, ({ kind, user_id, attempts }) => {
      const [own, others] = [keyOf({ kind, user_id }), keyOf({ kind, user_id: null })];
      // Tasks that were tried before go to another worker, if one has room: their own may be the one that fails.
      return (attempts > 1 ? [others, own] : [own, others]).find(hasRoom) ?? own;
    });
    for (const waiter of waiting) {
      const tasks = taken.get(keyOf(waiter));
      if (!tasks?.length) continue;
      waiting.delete(waiter);
      waiter.resolve(tasks.splice(0, waiter.capacity));
    }
    const unserved = [...taken.values()].flat();
    if (unserved.length > 0) await putBack(unserved);
  }

  return {
    claim,
    wake,
    /** Lets all workers go, also those that ask from now on. */
    stop: (): void => stopping.abort(),
  };
}

const keyOf = ({ kind, user_id }: Pick<Capacity, 'kind' | 'user_id'>) =>
  user_id === null ? kind : `${kind} ${user_id}`;

function roomsOf(waiters: Iterable<Waiter>): Map<string, Capacity> {
  const rooms = new Map<string, Capacity>();
  for (const { kind, user_id, capacity } of waiters) {
    const key = keyOf({ kind, user_id });
    rooms.set(key, { kind, user_id, room: (rooms.get(key)?.room ?? 0) + capacity });
  }
  return rooms;
}
