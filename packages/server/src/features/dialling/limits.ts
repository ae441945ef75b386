import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { type Allowance, countPhones, deleteAllowance, lockAllowances, saveAllowances } from './store.ts';

export type Limits = ReturnType<typeof createLimits>;

/** How many phones may be dialled for one user, by calls and by transfers. */
interface CallLimits {
  concurrent: number;
  per_second: number;
  burst: number;
  per_day: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A row further ahead was written by a clock that was wrong, and must not refuse calls until that time comes. */
const AHEAD_MS = 60_000;
/** When a call of the user may have ended is not known; worth another try after. */
const RETRY_CONCURRENT_S = 5;

/** Limits on dialling, counted in the database: no number of processes or requests at once can exceed them. */
export function createLimits({ clock, limits }: { clock: Clock; limits: CallLimits }) {
  /**
   * Counts a phone that is dialled for each of these users, one that is named twice two, in the transaction that
   * creates the calls. Their rows stay locked until its end, so that calls of one user are counted one after another.
   * Gives for each `too_many_calls` with the seconds to wait, `budget_exceeded`, which phones of calls in progress
   * never get, or null. The transaction must be committed either way: it may correct a row that a wrong clock has
   * written.
   */
  async function countCalls(trx: Db, user_ids: string[], areInProgress = false): Promise<(AppError | null)[]> {
    if (user_ids.length === 0) return [];
    const now = clock.now();
    const users = [...new Set(user_ids)];
    const fresh = { tokens: limits.burst, refilled_at: now, day: now.toISOString().slice(0, 10), calls: 0 };
    const found = await lockAllowances(trx, users, fresh);
    const open = await countPhones(trx, users, now);
    const after = new Map(Array.from(found, ([user_id, allowance]) => [user_id, possible(allowance, now)]));
    const refusals = user_ids.map((user_id) => {
      const { phones, is_over } = open.get(user_id) ?? { phones: 0, is_over: false };
      if (is_over && !areInProgress) return new AppError('budget_exceeded');
      const next = spend(after.get(user_id) ?? fresh, phones, now);
      if (next instanceof AppError) return next;
      after.set(user_id, next);
      open.set(user_id, { phones: phones + 1, is_over });
      return null;
    });
    const changed = [...after].filter(([user_id, allowance]) => allowance !== found.get(user_id));
    if (changed.length > 0) await saveAllowances(trx, new Map(changed));
    return refusals;
  }

  /** The allowance after one more call. */
  function spend(before: Allowance, open: number, now: Date): Allowance | AppError {
    // Time in a row never goes back: two clocks that differ would refill the bucket, and begin the day, again and
    // again.
    const refilled_at = before.refilled_at > now ? before.refilled_at : now;
    const day = latestDay(before.day, refilled_at);
    const calls = before.day === day ? before.calls : 0;
    if (calls >= limits.per_day) return tooMany('a day', (Date.parse(day) + DAY_MS - now.getTime()) / 1000);
    const elapsed = Math.max(0, refilled_at.getTime() - before.refilled_at.getTime()) / 1000;
    const tokens = Math.min(limits.burst, before.tokens + elapsed * limits.per_second);
    const behind = (refilled_at.getTime() - now.getTime()) / 1000;
    if (tokens < 1) return tooMany('a second', behind + (1 - tokens) / limits.per_second);
    if (open >= limits.concurrent) return tooMany('at the same time', RETRY_CONCURRENT_S);
    return { tokens: tokens - 1, refilled_at, day, calls: calls + 1 };
  }

  return {
    countCalls,
    /** The same for one phone. */
    countCall: async (trx: Db, user_id: string) => (await countCalls(trx, [user_id]))[0] ?? null,
    /** The same for one phone that joins a call in progress. */
    countTransfer: async (trx: Db, user_id: string) => (await countCalls(trx, [user_id], true))[0] ?? null,
    /** Forgets how much a user has called. */
    erase: deleteAllowance,
  };
}

function possible(allowance: Allowance, now: Date): Allowance {
  const ahead = allowance.refilled_at.getTime() - now.getTime();
  return ahead > AHEAD_MS ? { ...allowance, refilled_at: now } : allowance;
}

/**
 * Today, or tomorrow where a clock that is ahead has begun it. A day further ahead was written by a clock that was
 * wrong.
 */
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
