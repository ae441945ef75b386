import { fromKysely, type PgBoss } from 'pg-boss';
import type { Database } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Logger } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Deliver, Delivered } from './deliver.ts';
import { type AttemptJob, QUEUE, queueAttempt } from './queue.ts';
import { isLastAttempt, pauseAfter } from './schedule.ts';
import type { Secrets } from './secrets.ts';
import {
  type Callback,
  countOverdue,
  failPending,
  findCallback,
  insertAttempt,
  isSwitchedOff,
  listOverdue,
  lockCallback,
  switchOff,
  updateCallback,
} from './store.ts';

/** A job whose process died is given to another after this time; longer than any attempt takes. */
const EXPIRE_S = 120;
/** Jobs that failed otherwise (the database was away) are tried again soon; the pauses between attempts are ours, see schedule.ts. */
const JOBS = { retryLimit: 100, retryDelay: 5, expireInSeconds: EXPIRE_S };
/** Batches are sent at once, and a full one is followed by the next without a pause. */
const WORKERS = { localConcurrency: 8, batchSize: 10, burstWhenBatchFull: true, localGroupConcurrency: 4 };
const GONE = 410;
/** What has been due this long has no job, or a queue of hanging receivers before it: another job does no harm. */
const OVERDUE_MS = 15 * 60 * 1000;
const OVERDUE_BATCH = 100;
const LATE_MS = 60_000;

interface Deps {
  db: Database['db'];
  jobs: PgBoss;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  secrets: Secrets;
  deliver: Deliver;
}

/** Sends the queued callbacks, each at least once, in the Standard Webhooks format (https://www.standardwebhooks.com). */
export function createSender({ db, jobs, clock, log, metrics, secrets, deliver }: Deps) {
  /** One attempt. Throws when the database fails: the job is then tried again. */
  async function work({ id, attempt }: AttemptJob): Promise<void> {
    const callback = await findCallback(db, id);
    // Of two jobs for the same attempt one is too late.
    if (callback?.status !== 'pending' || callback.attempts + 1 !== (attempt ?? callback.attempts + 1)) return;
    if (await isSwitchedOff(db, callback)) return failPending(db, callback, clock.now());
    const attempted_at = clock.now();
    const headers = await headersOf(callback, attempted_at);
    const begun = performance.now();
    const result = await deliver(callback.url, headers, callback.payload);
    await record(callback, attempted_at, Math.round(performance.now() - begun), result);
  }

  async function headersOf({ id, user_id, payload }: Callback, at: Date): Promise<Record<string, string>> {
    return {
      'content-type': 'application/json',
      'user-agent': 'Switchboard',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': await secrets.sign(user_id, id, at, payload),
    };
  }

  /** Writes down the attempt together with what follows from it: nothing, the next attempt, or giving up. */
  async function record(callback: Callback, attempted_at: Date, latency_ms: number, result: Delivered): Promise<void> {
    const { response_status, error, retry_after } = result;
    const status = outcome(callback, response_status);
    const now = clock.now();
    await db.transaction().execute(async (trx) => {
      const before = await lockCallback(trx, callback.id);
      // Erased meanwhile, or another job has made this attempt.
      if (before?.status !== 'pending' || before.attempts !== callback.attempts) return;
      const attempts = before.attempts + 1;
      const delay_s = pauseAfter(attempts, retry_after, now);
      await insertAttempt(trx, {
        id: newId(),
        callback_id: before.id,
        attempted_at,
        latency_ms,
        response_status,
        error,
      });
      await updateCallback(trx, before.id, {
        ...{ status, attempts, updated_at: now },
        delivered_at: status === 'delivered' ? now : null,
        next_attempt_at: status === 'pending' ? new Date(now.getTime() + delay_s * 1000) : null,
      });
      if (status === 'pending') await queueAttempt(jobs, { ...before, attempts }, delay_s, fromKysely(trx));
      if (response_status === GONE) await switchOff(trx, before, now);
    });
    // Not in the transaction: two of one address would wait for one another's rows. What it misses finds the address switched off.
    if (response_status === GONE) await failPending(db, callback, now);
    tell(callback, status, { response_status, error });
  }

  function tell({ id, session_id }: Callback, status: Callback['status'], result: object): void {
    metrics.callbacks.inc({ outcome: OUTCOMES[status] });
    if (status === 'delivered') return;
    const text = status === 'failed' ? 'callback given up' : 'callback failed, will be retried';
    log.warn({ callback_id: id, session_id, ...result }, text);
  }

  /** Queues again what is long overdue: a job may have been lost with a queue that was emptied or restored from a backup. */
  async function repair(): Promise<void> {
    const now = clock.now();
    for (const { id } of await listOverdue(db, new Date(now.getTime() - OVERDUE_MS), OVERDUE_BATCH)) {
      await db.transaction().execute(async (trx) => {
        const callback = await lockCallback(trx, id);
        if (callback?.status !== 'pending') return;
        await updateCallback(trx, id, { next_attempt_at: now });
        await queueAttempt(jobs, callback, 0, fromKysely(trx));
      });
    }
  }

  /** Starts sending; ends with the job queue. */
  async function start(): Promise<void> {
    await jobs.createQueue(QUEUE, JOBS);
    await jobs.updateQueue(QUEUE, JOBS); // One that an earlier release made keeps what it was made with.
    const options = { pollingIntervalSeconds: 0.5, ...WORKERS, perJobResults: true } as const;
    await jobs.work<AttemptJob, void, typeof options>(QUEUE, options, (batch) =>
      Promise.all(
        batch.map(({ id, data }) =>
          work(data).then(
            () => ({ id, status: 'completed' as const }),
            (err: Error) => {
              log.error({ err, callback_id: data.id }, 'an attempt of a callback could not be made or recorded');
              return { id, status: 'failed' as const, output: { message: err.message } };
            },
          ),
        ),
      ),
    );
  }

  /** Sets the gauge of callbacks that wait longer than they should. */
  async function measure(): Promise<void> {
    metrics.overdueCallbacks.set(await countOverdue(db, new Date(clock.now().getTime() - LATE_MS)));
  }

  return { start, repair, measure };
}

const OUTCOMES = { delivered: 'delivered', failed: 'given_up', pending: 'failed' } as const;

function outcome({ attempts }: Callback, response_status: number | null): Callback['status'] {
  if (response_status !== null && response_status >= 200 && response_status < 300) return 'delivered';
  return response_status === GONE || isLastAttempt(attempts + 1) ? 'failed' : 'pending';
}
