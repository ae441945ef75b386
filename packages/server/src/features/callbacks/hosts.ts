import type { Lane, Room } from './due-store.ts';

/** Attempts under way, over all hosts. */
export const MAX_DELIVERIES = 640;
/** Concurrent deliveries for one user to one host. */
const OF_LANE = { initial: 4, max: 16, min: 1 };
/** Concurrent deliveries for all users to one host. Wider, so that one hanging receiver leaves room for the others. */
const OF_HOST = { initial: 32, max: 64, min: 8 };
/**
 * A user has at most so many times the room that is left: receivers of one user that hang, on however many hosts, take
 * two thirds of it, and those of several leave some too.
 */
const USER_SHARE = 2;
/** Taken at a time, so that each is sent at once. */
const AT_ONCE = 100;
/** Lanes and hosts of which it is kept how they answer. */
const REMEMBERED = 1_000;

/**
 * How many callbacks may be under way in each lane, and to each host: more while it answers, few while it does not. And
 * how many for each user.
 */
export function createHosts() {
  const lanes = createBounds<Lane>(OF_LANE);
  const hosts = createBounds<Pick<Lane, 'host'>>(OF_HOST);
  const users = new Map<string, number>();
  let total = 0;

  function begin({ host, user_id }: Lane): void {
    lanes.begin(laneKey(host, user_id), { host, user_id });
    hosts.begin(host, { host });
    users.set(user_id, (users.get(user_id) ?? 0) + 1);
    total++;
  }

  /** `hasAnswered` is null when nobody was asked. */
  function end({ host, user_id }: Lane, hasAnswered: boolean | null): void {
    lanes.end(laneKey(host, user_id), hasAnswered);
    hosts.end(host, hasAnswered);
    const left = (users.get(user_id) ?? 1) - 1;
    if (left === 0) users.delete(user_id);
    else users.set(user_id, left);
    total--;
  }

  /** Deliveries that may start now. */
  function room(): Room {
    const left = MAX_DELIVERIES - total;
    return {
      limit: Math.min(AT_ONCE, left),
      first: { lane: OF_LANE.initial, host: OF_HOST.initial, user: shareOf(0, left) },
      ...{ lanes: lanes.free(), hosts: hosts.free() },
      users: Array.from(users, ([user_id, underWay]) => ({ user_id, free: shareOf(underWay, left) })),
    };
  }

  return { begin, end, room };
}

/** How many more a user may begin, so that it has its share of the room that is left then. */
function shareOf(underWay: number, left: number): number {
  return Math.max(0, Math.ceil((USER_SHARE * left - underWay) / (USER_SHARE + 1)));
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
