/** How fast a campaign dials. */
export interface Pacing {
  max_concurrent: number;
  per_minute: number;
  /** Part of the user's limits, from 0 to 1, that is left to calls of others. */
  reserve_for_others: number;
}

/** The pace of a campaign while its trunks have no room for all calls: `part` of it, from 0 to 1. */
export function slowed(pacing: Pacing, part: number): Pacing {
  return { ...pacing, per_minute: pacing.per_minute * part };
}

/** When a running campaign stops by itself. */
export interface Circuit {
  /** Part of the calls, from 0 to 1. */
  failure_rate: number;
  window_s: number;
  min_calls: number;
}

/** The limits of a user, and how much of them calls of any kind have used. */
interface Use {
  open: number;
  concurrent: number;
  /** Calls that may be placed at once, of at most `burst`. */
  tokens: number;
  burst: number;
  today: number;
  per_day: number;
  day_ends_at: Date;
}

/** Facts about a campaign that has its turn. */
export interface Situation {
  now: Date;
  /** Calls of the campaign that have not ended. */
  open: number;
  /** Those of them that no worker has joined, although they were placed a while ago. */
  unattended: number;
  user: Use;
  /** How many calls all workers take, and the calls of all users that need one; null where workers do not say. */
  workers: { max_calls: number; open: number } | null;
  /** Running campaigns of its user, this one included. */
  campaigns: number;
  /** From when on the next call is within `per_minute`. */
  next_slot_at: Date | null;
  /** Further calls that the budget is good for, beside those that are open; null without one. */
  affordable: number | null;
  /** Whether what has been spent is all of the budget, whatever is open. */
  isSpent: boolean;
  /** The calls that ended last, within the window of the circuit. */
  recent: { calls: number; failures: number };
  /** The policy's limit on calls that people answered and no agent took; null if there is none. */
  abandonment: { is_exceeded: boolean; until: Date | null } | null;
}

export type Blocked = 'agent' | 'budget' | 'capacity' | 'circuit' | 'disabled' | 'number' | 'policy' | 'window';

/** Calls that may be placed now, and why there are none. */
export interface Capacity {
  calls: number;
  blocked: Extract<Blocked, 'budget' | 'capacity' | 'circuit' | 'policy'> | null;
  /** When that ends by itself, if it is known. */
  until: Date | null;
  /** Whether there is no worker for a further call, which is looked at less often. */
  needsWorker?: true;
}

/** Calls of a turn at most: a campaign with many recipients lets others go on after them. */
export const TURN = 50;
/** Calls without a worker that are too many: at least so many, and more than this part of the open ones. */
const [UNATTENDED, UNATTENDED_PART] = [3, 0.05];
/** Pauses of the service are made up for up to this long. */
const BURST_MS = 2_000;
const MINUTE_MS = 60_000;

export function roomFor(pacing: Pacing, circuit: Circuit | null, situation: Situation): Capacity {
  const { open, unattended, user, workers, campaigns, affordable, isSpent, recent, abandonment } = situation;
  const none = (blocked: Capacity['blocked'], until: Date | null = null): Capacity => ({ calls: 0, blocked, until });
  if (abandonment?.is_exceeded) return none('policy', abandonment.until);
  if (circuit && recent.calls >= circuit.min_calls && recent.failures >= circuit.failure_rate * recent.calls)
    return none('circuit');
  // Calls that are open may use up the rest, or leave some: nothing is blocked before they have ended.
  if (isSpent || (affordable !== null && affordable <= 0 && open === 0)) return none('budget');
  // No worker is free: whoever answered a further call would hear nobody.
  if (unattended >= UNATTENDED && unattended > UNATTENDED_PART * open) return none('capacity');
  const kept = pacing.reserve_for_others;
  // However low the limit, campaigns keep one call of it: they would never dial otherwise.
  const partOf = (limit: number) => (kept < 1 ? Math.min(limit, Math.max(1, limit - Math.ceil(limit * kept))) : 0);
  const today = partOf(user.per_day) - user.today;
  if (today <= 0) return none('capacity', kept < 1 ? user.day_ends_at : null);
  // The worker of a call is dispatched when it is placed, before the phone rings.
  const idle = workers ? partOf(workers.max_calls) - workers.open : Number.POSITIVE_INFINITY;
  const free = Math.min(partOf(user.concurrent) - user.open, idle);
  if (free <= 0) return { ...none('capacity'), ...(idle <= 0 && { needsWorker: true }) };
  const share = Math.ceil(Math.min(free, today) / Math.max(1, campaigns));
  const calls = Math.min(
    TURN,
    share,
    pacing.max_concurrent - open,
    slots(pacing, situation),
    // Rounded down: a burst of one call is not kept from campaigns for good.
    Math.floor(user.tokens) - Math.floor(user.burst * kept),
    affordable ?? Number.POSITIVE_INFINITY,
  );
  return { calls: Math.max(0, calls), blocked: null, until: null };
}

/** Calls that `per_minute` allows now. */
function slots({ per_minute }: Pacing, { now, next_slot_at }: Situation): number {
  const from = firstSlot(now, next_slot_at);
  return from > now.getTime() ? 0 : 1 + Math.floor(((now.getTime() - from) * per_minute) / MINUTE_MS);
}

/**
 * From when on a call is within `per_minute`, in milliseconds since 1970. A slot far ahead is of a faster clock, or of
 * an earlier, slower pace.
 */
export function firstSlot(now: Date, next_slot_at: Date | null): number {
  const earliest = now.getTime() - BURST_MS;
  if (next_slot_at === null) return now.getTime();
  return Math.min(Math.max(next_slot_at.getTime(), earliest), now.getTime() + MINUTE_MS);
}

/** From when on a further call is within `per_minute`, after this many. */
export function slotAfter({ per_minute }: Pacing, now: Date, next_slot_at: Date | null, calls: number): Date {
  return new Date(Math.ceil(firstSlot(now, next_slot_at) + (calls * MINUTE_MS) / per_minute));
}

/** The caller ID for somebody: always the same one, also if others are added or removed. */
export function numberFor(phone_number: string, from_numbers: readonly string[]): string | null {
  const weights = from_numbers.map((number) => [weigh(`${number} ${phone_number}`), number] as const);
  return weights.sort(([a], [b]) => b - a)[0]?.[1] ?? null;
}

/** FNV-1a, 32 bits, with the bits mixed as in MurmurHash3. */
function weigh(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
