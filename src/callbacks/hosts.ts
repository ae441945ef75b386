import type { Lane, Room } from './store.ts';

/** Attempts under way, over all hosts. */
const TOTAL = 640;
/** Concurrent deliveries for one user to one host. */
const OF_LANE = { first: 4, most: 16, least: 1 };
/** Concurrent deliveries for all users to one host. Wider, so that one hanging receiver leaves room for the others. */
const OF_HOST = { first: 32, most: 64, least: 8 };
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
    const first = { lane: OF_LANE.first, host: OF_HOST.first };
    return { limit: Math.min(AT_ONCE, TOTAL - total), first, lanes: lanes.free(), hosts: hosts.free() };
  }

  return { begin, end, room };
}

// A host holds no space.
function laneKey(host: string, user_id: string): string {
  return `${host} ${user_id}`;
}

/** Counts what is under way, by key, beside a bound that follows the answers. */
function createBounds<T>(bounds: { first: number; most: number; least: number }) {
  const known = new Map<string, { about: T; underWay: number; most: number }>();

  function begin(key: string, about: T): void {
    const { underWay, most } = known.get(key) ?? { underWay: 0, most: bounds.first };
    known.set(key, { about, underWay: underWay + 1, most });
  }

  function end(key: string, hasAnswered: boolean | null): void {
    const one = known.get(key);
    if (!one) return;
    if (hasAnswered !== null) one.most = hasAnswered ? Math.min(bounds.most, one.most * 2) : bounds.least;
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
    return [...known.values()].map(({ about, underWay, most }) => ({
      ...about,
      free: Math.max(0, most - underWay),
      has_failed: most === bounds.least,
    }));
  }

  return { begin, end, free };
}
