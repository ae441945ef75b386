import type { Capacity, Lane, Share } from './queue-store.ts';

/** Concurrent attempts, over all hosts. */
export const MAX_DELIVERIES = 640;
/** Total bytes of their bodies. A report has a megabyte or more, and stays in memory while its receiver hangs. */
export const MAX_DELIVERY_BYTES = 64 * 1024 * 1024;
/** Concurrent deliveries for one user to one host. */
const OF_LANE = { initial: 4, max: 16, min: 1 };
/** Concurrent deliveries for all users to one host. Wider, so that one hanging receiver leaves some for the others. */
const OF_HOST = { initial: 32, max: 64, min: 8 };
/**
 * A user gets at most this multiple of the capacity that is left: one user's hanging receivers, on any number of hosts,
 * take two thirds of it, and those of several users leave some as well.
 */
const USER_SHARE = 2;
/** Callbacks claimed at a time, so that each is sent at once. */
const BATCH_SIZE = 200;
/** Lanes and hosts remembered (LRU). */
const REMEMBERED = 1_000;

/**
 * The concurrency limits of lanes and hosts: higher while a host responds, low while it does not; and of users, by
 * number and bytes.
 */
export function createHosts() {
  const lanes = createBounds<Lane>(OF_LANE);
  const hosts = createBounds<Pick<Lane, 'host'>>(OF_HOST);
  const users = new Map<string, InFlight>();
  const all: InFlight = { count: 0, bytes: 0 };

  /** `bytes` is the size of the body. */
  function begin({ host, user_id }: Lane, bytes: number): void {
    lanes.begin(laneKey(host, user_id), { host, user_id });
    hosts.begin(host, { host });
    const user = users.get(user_id) ?? { count: 0, bytes: 0 };
    users.set(user_id, user);
    add(user, 1, bytes);
    add(all, 1, bytes);
  }

  /** `hasAnswered` is null if no request was made. */
  function end({ host, user_id }: Lane, bytes: number, hasAnswered: boolean | null): void {
    lanes.end(laneKey(host, user_id), hasAnswered);
    hosts.end(host, hasAnswered);
    const user = users.get(user_id);
    if (user) add(user, -1, -bytes);
    if (user?.count === 0) users.delete(user_id);
    add(all, -1, -bytes);
  }

  /** Deliveries that may start now. */
  function capacity(): Capacity {
    const left = { free: MAX_DELIVERIES - all.count, bytes: Math.max(0, MAX_DELIVERY_BYTES - all.bytes) };
    return {
      all: { ...left, free: left.bytes > 0 ? Math.min(BATCH_SIZE, left.free) : 0 },
      first: { lane: OF_LANE.initial, host: OF_HOST.initial, user: shareOf({ count: 0, bytes: 0 }, left) },
      lanes: lanes.free(),
      hosts: hosts.free(),
      users: Array.from(users, ([user_id, inFlight]) => ({ user_id, ...shareOf(inFlight, left) })),
    };
  }

  return { begin, end, capacity };
}

interface InFlight {
  count: number;
  bytes: number;
}

function add(inFlight: InFlight, count: number, bytes: number): void {
  inFlight.count += count;
  inFlight.bytes += bytes;
}

/** Capacity for more callbacks of a user, up to its share of what is left. */
function shareOf({ count, bytes }: InFlight, left: Share): Share {
  const part = (has: number, free: number) => Math.max(0, Math.ceil((USER_SHARE * free - has) / (USER_SHARE + 1)));
  return { free: part(count, left.free), bytes: part(bytes, left.bytes) };
}

// A host name contains no space.
function laneKey(host: string, user_id: string): string {
  return `${host} ${user_id}`;
}

/** Counts concurrent attempts by key, with limits that adapt to the responses. */
function createBounds<T>(bounds: { initial: number; max: number; min: number }) {
  const known = new Map<string, { about: T; inFlight: number; max: number }>();

  function begin(key: string, about: T): void {
    const { inFlight, max } = known.get(key) ?? { inFlight: 0, max: bounds.initial };
    known.set(key, { about, inFlight: inFlight + 1, max });
  }

  function end(key: string, hasAnswered: boolean | null): void {
    const one = known.get(key);
    if (!one) return;
    if (hasAnswered !== null) one.max = hasAnswered ? Math.min(bounds.max, one.max * 2) : bounds.min;
    one.inFlight--;
    // Moved to the end of the eviction order.
    known.delete(key);
    known.set(key, one);
    if (known.size > REMEMBERED) forgetOne();
  }

  function forgetOne(): void {
    for (const [key, { inFlight }] of known) if (inFlight === 0) return void known.delete(key);
  }

  function free(): (T & { free: number; has_failed: boolean })[] {
    return [...known.values()].map(({ about, inFlight, max }) => ({
      ...about,
      free: Math.max(0, max - inFlight),
      has_failed: max === bounds.min,
    }));
  }

  return { begin, end, free };
}
