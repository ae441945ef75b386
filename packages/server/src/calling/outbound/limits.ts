import { BACKSTOP_S } from '../../db/reserves.ts';
import type { Db } from '../../db/tables.ts';
import { type Clock, DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { createDecide, type Decision, type DialAttempt, refusalOf, toNumber } from './dial-attempts.ts';
import {
  type Allowance,
  addDecisions,
  type BudgetLeft,
  countPhones,
  deleteAllowance,
  lockAllowances,
  readUse,
  type Spending,
  saveAllowances,
} from './store.ts';

export type Limits = ReturnType<typeof createLimits>;

/** How many phones may be dialled for one user, by calls and by transfers. */
interface CallLimits {
  concurrent: number;
  per_second: number;
  burst: number;
  per_day: number;
}

/** A timestamp further ahead comes from a wrong clock, and must not block calls until that time. */
const AHEAD_MS = 60_000;
/** `Retry-After` for the limit on concurrent calls: when one will end is unknown. */
const RETRY_CONCURRENT_S = 5;
const NOTHING: Spending = { phones: 0, budget: null, policies: [], numbers: [] };

/** A phone to count: its user, and the maximum duration of the call unless the setting's applies. */
interface Counted {
  user_id: string;
  max_duration_s?: number | null | undefined;
  /** Whom it dials; absent for browsers and chats. */
  attempt?: DialAttempt | undefined;
  /** Chats need a budget that is not used up, and reserve nothing of it. */
  isChat?: boolean;
}

/** Calls that are counted together. */
interface Round {
  now: Date;
  fresh: Allowance;
  open: Map<string, Spending>;
  after: Map<string, Allowance>;
  areInProgress: boolean;
  decisions: ReturnType<typeof createDecide>;
  decided: Decision[];
}

interface Deps {
  clock: Clock;
  limits: CallLimits;
  /** Longest duration of calls that have no limit of their own. */
  max_duration_s: number;
}

/** Limits on dialling, counted in the database, so that they hold across processes and concurrent requests. */
export function createLimits({ clock, limits, max_duration_s }: Deps) {
  /**
   * Counts one dialled phone for each entry, in the transaction that creates the calls. The users' rows stay locked
   * until it ends, which serializes the calls of one user. Returns for each entry `dial_denied` or `dial_deferred` as
   * the user's policies and suppressions say, `too_many_calls` with the seconds to wait, `budget_exceeded` (never for
   * phones of calls in progress) unless the budget covers what open calls and this call may cost, or null. Commit the
   * transaction in any case: it may correct a row that a wrong clock has written, and records what was decided.
   */
  async function countCalls(trx: Db, calls: Counted[], areInProgress = false): Promise<(AppError | null)[]> {
    if (calls.length === 0) return [];
    const now = clock.now();
    const users = [...new Set(calls.map(({ user_id }) => user_id))];
    const fresh = freshAt(now);
    const found = await lockAllowances(trx, users, fresh);
    const numbers = calls.flatMap(({ attempt }, place) => (attempt ? toNumber(attempt, place) : []));
    const open = await countPhones(trx, users, { now, max_duration_s, numbers });
    const after = new Map(Array.from(found, ([user_id, allowance]) => [user_id, possible(allowance, now)]));
    const round: Round = { now, fresh, open, after, areInProgress, decisions: createDecide(open, now), decided: [] };
    const refusals = calls.map((call, place) => countOne(round, call, place));
    const changed = [...after].filter(([user_id, allowance]) => allowance !== found.get(user_id));
    const kept = round.decided.flatMap(({ row }) => row ?? []);
    if (changed.length > 0) await saveAllowances(trx, new Map(changed), kept);
    else if (kept.length > 0) await addDecisions(trx, kept);
    return refusals;
  }

  /** Counts one of them, or returns why not. */
  function countOne(round: Round, call: Counted, place: number): AppError | null {
    const { user_id, max_duration_s: own, attempt, isChat = false } = call;
    const { now, open, after, decided, areInProgress } = round;
    const { phones, budget, ...facts } = open.get(user_id) ?? NOTHING;
    const decision = attempt && round.decisions.decide(attempt, place);
    // Before anything is counted: a call that is not allowed uses up no limit.
    const denial = decision && refusalOf(decision);
    if (denial) {
      decided.push(decision);
      return denial;
    }
    const estimate = budget && !areInProgress && !isChat ? estimateOf(budget, own ?? max_duration_s) : 0n;
    if (budget && !areInProgress && (budget.left <= 0n || budget.left < estimate))
      return new AppError('budget_exceeded', { detail: detailOf(budget) });
    const next = spend(after.get(user_id) ?? round.fresh, phones, now);
    if (next instanceof AppError) return next;
    after.set(user_id, next);
    open.set(user_id, { ...facts, phones: phones + 1, budget: budget && { ...budget, left: budget.left - estimate } });
    if (decision) {
      decided.push(decision);
      round.decisions.count(decision);
    }
    return null;
  }

  /** The allowance of a user who has dialled nobody yet. */
  const freshAt = (now: Date): Allowance => ({
    tokens: limits.burst,
    refilled_at: now,
    day: now.toISOString().slice(0, 10),
    calls: 0,
  });

  /** The allowance as of now. */
  function refill(before: Allowance, now: Date): Allowance {
    // A row's time never goes back: otherwise two clocks that differ would refill the bucket and start the day
    // repeatedly.
    const refilled_at = before.refilled_at > now ? before.refilled_at : now;
    const day = latestDay(before.day, refilled_at);
    const elapsed = Math.max(0, refilled_at.getTime() - before.refilled_at.getTime()) / 1000;
    const tokens = Math.min(limits.burst, before.tokens + elapsed * limits.per_second);
    return { tokens, refilled_at, day, calls: before.day === day ? before.calls : 0 };
  }

  /** The allowance after one more call. */
  function spend(before: Allowance, open: number, now: Date): Allowance | AppError {
    const { tokens, refilled_at, day, calls } = refill(before, now);
    if (calls >= limits.per_day) return tooMany('a day', (endOf(day).getTime() - now.getTime()) / 1000);
    const behind = (refilled_at.getTime() - now.getTime()) / 1000;
    if (tokens < 1) return tooMany('a second', behind + (1 - tokens) / limits.per_second);
    if (open >= limits.concurrent) return tooMany('at the same time', RETRY_CONCURRENT_S);
    return { tokens: tokens - 1, refilled_at, day, calls: calls + 1 };
  }

  return {
    countCalls,
    /** The same for one phone. */
    countCall: async (trx: Db, call: Counted) => (await countCalls(trx, [call]))[0] ?? null,
    /** The same for one phone that joins a call in progress. */
    countTransfer: async (trx: Db, attempt: DialAttempt) =>
      (await countCalls(trx, [{ user_id: attempt.user_id, attempt }], true))[0] ?? null,
    /** The decisions about attempts of one user as each would be now, or later. Counts and records nothing. */
    checkEach: async (db: Db, user_id: string, attempts: DialAttempt[], now = clock.now()) => {
      const facts = await countPhones(db, [user_id], { now, max_duration_s, numbers: attempts.map(toNumber) });
      const { explain } = createDecide(facts, now);
      return attempts.map((attempt, place) => explain(attempt, place));
    },
    /** The limits of a user, and how much of them is used. */
    use: async (db: Db, user_id: string) => {
      const now = clock.now();
      const { phones, allowance } = await readUse(db, user_id, now);
      const { tokens, day, calls } = refill(possible(allowance ?? freshAt(now), now), now);
      const { concurrent, burst, per_day } = limits;
      return { open: phones, concurrent, tokens, burst, today: calls, per_day, day_ends_at: endOf(day) };
    },
    /** Deletes the counters of a user. */
    erase: deleteAllowance,
  };
}

/**
 * Estimated cost of a call that should last at most `max_s`, in units, as `reservedBy` has it: the call may last until
 * the provider ends it, and the minute it ends in is billed as a whole.
 */
function estimateOf({ per_minute, expected_minutes, mean }: BudgetLeft, max_s: number): bigint {
  if (per_minute === null) return mean;
  const most = Math.ceil((max_s + BACKSTOP_S) / 60);
  return per_minute * BigInt(Math.min(expected_minutes ?? most, most));
}

function detailOf({ left }: BudgetLeft): string {
  return left <= 0n
    ? 'The budget of the user for this month is spent, or reserved for open calls.'
    : 'What is left of the budget of the user for this month does not cover a further call.';
}

function possible(allowance: Allowance, now: Date): Allowance {
  const ahead = allowance.refilled_at.getTime() - now.getTime();
  return ahead > AHEAD_MS ? { ...allowance, refilled_at: now } : allowance;
}

const endOf = (day: string) => new Date(Date.parse(day) + DAY_MS);

/** Today, or tomorrow if a fast clock has already begun it. A later day comes from a wrong clock. */
function latestDay(before: string, now: Date): string {
  const [today, tomorrow] = [now, new Date(now.getTime() + DAY_MS)].map((time) => time.toISOString().slice(0, 10));
  return before === tomorrow ? before : (today as string);
}

function tooMany(when: string, seconds: number): AppError {
  return new AppError('too_many_calls', {
    detail: `This user may not start more calls ${when}.`,
    retry_after_s: Math.max(1, Math.ceil(seconds)),
  });
}
