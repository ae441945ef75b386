import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { type Allowance, countPhones, countTransfers, lockAllowance, saveAllowance, type Transfer } from './store.ts';

export type Limits = ReturnType<typeof createLimits>;

/**
 * How many phones may be dialled for one user, by calls and by transfers; and how often one call may be transferred.
 */
export interface CallLimits {
  concurrent: number;
  per_second: number;
  burst: number;
  per_day: number;
  transfers_per_call: number;
  /** The call's own phone and the targets of its warm transfers. */
  phones_per_call: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A row further ahead was written by a clock that was wrong, and must not refuse calls until that time comes. */
const AHEAD_MS = 60_000;
/** When a call of the user may have ended is not known; worth another try after. */
const RETRY_CONCURRENT_S = 5;

/** Limits on dialling, counted in the database: no number of processes or requests at once can exceed them. */
export function createLimits({ clock, limits }: { clock: Clock; limits: CallLimits }) {
  /**
   * Counts a phone that is dialled for the user, in the transaction that creates the call. The user's row stays locked
   * until its end, so that calls of one user are counted one after another. Returns `too_many_calls` with the seconds
   * to wait, or null. The transaction must be committed either way: it may correct a row that a wrong clock has
   * written.
   */
  async function countCall(trx: Db, user_id: string): Promise<AppError | null> {
    const now = clock.now();
    const fresh = { tokens: limits.burst, refilled_at: now, day: now.toISOString().slice(0, 10), calls: 0 };
    const found = await lockAllowance(trx, user_id, fresh);
    const before = possible(found, now);
    const next = spend(before, await countPhones(trx, user_id, now), now);
    const after = next instanceof AppError ? before : next;
    if (after !== found) await saveAllowance(trx, user_id, after);
    return next instanceof AppError ? next : null;
  }

  /**
   * Counts the phone that a transfer dials, as a call of the session's user. The caller holds the session's lock, so
   * that the transfers of one call are counted one after the other. Throws `too_many_transfers`, `too_many_phones`, or
   * `too_many_calls`.
   */
  async function countTransfer(
    trx: Db,
    { session_id, user_id, transfer_type }: Pick<Transfer, 'session_id' | 'transfer_type'> & { user_id: string },
  ): Promise<void> {
    const { attempts, targets } = await countTransfers(trx, session_id, clock.now());
    if (attempts >= limits.transfers_per_call) throw new AppError('too_many_transfers');
    if (transfer_type === 'WARM' && 1 + targets >= limits.phones_per_call) throw new AppError('too_many_phones');
    const refusal = await countCall(trx, user_id);
    if (refusal) throw refusal;
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

  return { countCall, countTransfer };
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
