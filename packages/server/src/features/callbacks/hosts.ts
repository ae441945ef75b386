import type { Lane, Room } from './store.ts';

/** Attempts under way, over all hosts. */
const TOTAL = 640;
/** Concurrent deliveries for one user to one host. */
const OF_LANE = { initial: 4, max: 16, min: 1 };
/** Concurrent deliveries for all users to one host. Wider, so that one hanging receiver leaves room for the others. */
const OF_HOST = { initial: 32, max: 64, min: 8 };
/** Taken at a time, so that each is sent at once. */
const AT_ONCE = 100;
/** Lanes and hosts of which it is kept how they answer. */
const REMEMBERED = 1_000;

/** How many callbacks may be under way in each lane, and to each host: more while it answers, few while it does not. */
export function createHosts() {
  const lanes = createBounds<Lane>(OF_LANE);
  const hosts = createBounds<Pick<Lane, 'host'>>(OF_HOST);
  let total = 0;

  function begin({ host, user_id }: Lane): void {
    lanes.begin(laneKey(host, user_id), { host, user_id });
    hosts.begin(host, { host });
    total++;
  }

  /** `hasAnswered` is null when nobody was asked. */
  function end({ host, user_id }: Lane, hasAnswered: boolean | null): void {
    lanes.end(laneKey(host, user_id), hasAnswered);
    hosts.end(host, hasAnswered);
    total--;
  }

  /** Deliveries that may start now. */
  function room(): Room {
    const first = { lane: OF_LANE.initial, host: OF_HOST.initial };
    return { limit: Math.min(AT_ONCE, TOTAL - total), first, lanes: lanes.free(), hosts: hosts.free() };
  }

  return { begin, end, room };
}

// A host holds no space.
function laneKey(host: string, user_id: string): string {
  return `${host} ${user_id}`;
}

/** Counts what is under way, by key, beside a bound that follows the answers. */
function createBounds<T>(bounds: { initial: number; max: number; min: number }) {
  const known = new Map<string, { about: T; underWay: number; max: number }>();

  function begin(key: string, about: T): void {
    const { underWay, max } = known.get(key) ?? { underWay: 0, max: bounds.initial };
    known.set(key, { about, underWay: underWay + 1, max });
  }

  function end(key: string, hasAnswered: boolean | null): void {
    const one = known.get(key);
    if (!one) return;
    if (hasAnswered !== null) one.max = hasAnswered ? Math.min(bounds.max, one.max * 2) : bounds.min;
    one.underWay--;
    // Last in the order of what is forgotten first.
    known.delete(key);
    known.set(key, one);
    if (known.size > REMEMBERED) forgetOne();
  }

  function forgetOne(): void {
    for (const [key, { underWay }] of known) if (underWay === 0) return void known.delete(key);
  }

  function free(): (T & { free: number; has_failed: boolean })[] {
    return [...known.values()].map(({ about, underWay, max }) => ({
      ...about,
      free: Math.max(0, max - underWay),
      has_failed: max === bounds.min,
    }));
  }

  return { begin, end, free };
}
