import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Platform } from '../../platform.ts';
import type { Kind } from '../../work/kinds.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { type Booking, NOT_DUE } from '../outbound/placing.ts';
import { notBefore, planIn, type Records, requestOf } from './records.ts';
import { claimScheduled, findScheduled, lockScheduled, type ScheduledRow } from './store.ts';
import { moveTo } from './times.ts';

interface Deps extends Pick<Platform, 'clock'> {
  db: Database['db'];
  outbound: Outbound;
  records: Records;
}

/** Calls that one process places at the same time. */
const CONCURRENCY = 20;
/** After this long another process places what one that died has taken. */
const LEASE_MS = 15_000;
/** The shortest pause of a call that a limit keeps waiting; the longer it waits, the longer. */
const MIN_PAUSE_MS = 1_000;
/** How long before the end of a window the last try is: twice the time between two looks for due work, by default. */
const LAST_TRY_MS = 10_000;
/**
 * Refusals that may end before the call has to, with the longest pause: a budget is raised, or reserved for calls that
 * are still open, and a month of calls must not ask for it all the time.
 */
const PASSING: Record<string, number> = { too_many_calls: 30_000, calling_disabled: 30_000, budget_exceeded: 300_000 };

/** Has this process place scheduled calls that are due, each in one transaction with all decisions about it. */
export function createDue({ db, clock, outbound, records }: Deps): Kind {
  /** Whether it still waits for the time that it was read with. */
  const isSame = (now: ScheduledRow | undefined, row: ScheduledRow): now is ScheduledRow =>
    now?.status === 'SCHEDULED' && now.due_at.getTime() === row.due_at.getTime();

  function bookingOf(row: ScheduledRow): Booking {
    return {
      room_name: row.room_name,
      claim: async (trx) => isSame(await claimScheduled(trx, row.id), row),
      placed: async (trx, call_id) => {
        await records.end(trx, row, { status: 'PLACED', reason: null, detail: null, call_id });
      },
    };
  }

  async function run(id: string): Promise<Date | null> {
    const row = await findScheduled(db, id);
    if (row?.status !== 'SCHEDULED') return null;
    const now = clock.now();
    if (row.due_at > now) return row.due_at;
    if (row.latest_at < now) return postpone(row, now, { reason: 'missed', detail: 'Its time has passed.' });
    try {
      await outbound.start(row.user_id, requestOf(row), null, bookingOf(row));
      return null;
    } catch (error) {
      // Somebody moves or cancels it, or another process has placed it.
      if (error === NOT_DUE) return new Date(now.getTime() + MIN_PAUSE_MS);
      return refused(row, error);
    }
  }

  async function refused(row: ScheduledRow, error: unknown): Promise<Date | null> {
    if (error instanceof InvalidFields) {
      const detail = error.problems.map(({ field, msg }) => `${String(field)}: ${msg}.`).join(' ');
      return end(row, 'REFUSED', { reason: 'invalid_request', detail });
    }
    // Failures of this service are repeated, as long as it is not too late.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const { code, message: detail, retry_after_s = 0 } = error;
    const pauseMs = PASSING[code];
    if (pauseMs) return wait(row, { reason: code, detail }, retry_after_s * 1000, pauseMs);
    const not_before = code === 'dial_deferred' ? notBefore(error) : null;
    if (not_before) return postpone(row, not_before, { reason: code, detail });
    return end(row, 'REFUSED', { reason: code === 'not_found' ? 'agent_not_found' : code, detail });
  }

  type Why = Record<'reason' | 'detail', string>;

  /** Tries again after a while, and says once why; if its window is over then, in the next one, or never. */
  async function wait(row: ScheduledRow, why: Why, retryMs: number, longestMs: number): Promise<Date | null> {
    const now = clock.now().getTime();
    const pause = Math.min(longestMs, Math.max(MIN_PAUSE_MS, (now - row.due_at.getTime()) / 4));
    // A pause that grows past the end of the window is cut; a time that the refusal names is not.
    const left = row.latest_at.getTime() - LAST_TRY_MS - now;
    const next = new Date(now + Math.max(retryMs, left < MIN_PAUSE_MS ? pause : Math.min(pause, left)));
    if (next > row.latest_at) return postpone(row, next, why);
    // Not of limits: of a thousand calls that are due at once, most wait for some seconds.
    if (why.reason === 'budget_exceeded' && row.reason !== why.reason)
      await db.transaction().execute(async (trx) => {
        if (isSame(await lockScheduled(trx, row.id), row)) await records.note(trx, row, why);
      });
    return next;
  }

  /** Moves it to `time` or to its next window; ends it if neither is left. */
  async function postpone(row: ScheduledRow, time: Date, why: Why): Promise<Date | null> {
    const plan = moveTo(planIn(row), time);
    if (!plan) return end(row, 'EXPIRED', why);
    await db.transaction().execute(async (trx) => {
      if (isSame(await lockScheduled(trx, row.id), row)) await records.move(trx, row, plan, why);
    });
    return plan.due_at;
  }

  async function end(row: ScheduledRow, status: 'EXPIRED' | 'REFUSED', why: Why): Promise<null> {
    await db.transaction().execute(async (trx) => {
      if (isSame(await lockScheduled(trx, row.id), row)) await records.end(trx, row, { status, ...why });
    });
    return null;
  }

  return { run: ({ key }) => run(key), concurrency: CONCURRENCY, leaseMs: LEASE_MS };
}
