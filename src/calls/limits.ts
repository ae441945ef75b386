import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { lockAllowance, saveAllowance } from './store.ts';

export type Limits = ReturnType<typeof createLimits>;

/** How much one user may call. */
export interface CallLimits {
  concurrent: number;
  per_second: number;
  burst: number;
  per_day: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** When a call of the user may have ended is not known; worth another try after. */
const RETRY_CONCURRENT_S = 5;

/** Limits on outbound calls, counted in the database: no number of processes or requests at once can exceed them. */
export function createLimits({ clock, sessions, limits }: { clock: Clock; sessions: Sessions; limits: CallLimits }) {
  /**
   * Counts a call of the user, in the transaction that creates it; that transaction holds the user's row, so that calls of one user
   * are counted one after the other. Throws `too_many_calls` with the seconds to wait.
   */
  return async function countCall(trx: Db, user_id: string): Promise<void> {
    const now = clock.now();
    const today = now.toISOString().slice(0, 10);
    const before = await lockAllowance(trx, user_id, { tokens: limits.burst, refilled_at: now, day: today, calls: 0 });
    const calls = before.day === today ? before.calls : 0;
    if (calls >= limits.per_day) throw tooMany('a day', (DAY_MS - (now.getTime() % DAY_MS)) / 1000);
    const elapsed = Math.max(0, now.getTime() - before.refilled_at.getTime()) / 1000;
    const tokens = Math.min(limits.burst, before.tokens + elapsed * limits.per_second);
    if (tokens < 1) throw tooMany('a second', (1 - tokens) / limits.per_second);
    if ((await sessions.countOpenOutbound(trx, user_id)) >= limits.concurrent)
      throw tooMany('at the same time', RETRY_CONCURRENT_S);
    await saveAllowance(trx, user_id, { tokens: tokens - 1, refilled_at: now, day: today, calls: calls + 1 });
  };
}

function tooMany(when: string, seconds: number): AppError {
  return new AppError('too_many_calls', {
    detail: `This user may not start more calls ${when}.`,
    retry_after_s: Math.max(1, Math.ceil(seconds)),
  });
}
