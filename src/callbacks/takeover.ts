import type { PgBoss } from 'pg-boss';
import type { Database } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { listJobs, sendNow } from './store.ts';

const QUEUE = 'callbacks';
/** As the release before makes it: its replicas may be there still. */
const JOBS = { retryLimit: 100, retryDelay: 5, expireInSeconds: 120 };
const WORKER = { batchSize: 100, burstWhenBatchFull: true, pollingIntervalSeconds: 2 };
/** What has been due this long has lost its job. */
const LOST_MS = 15 * 60 * 1000;
const LOST_BATCH = 100;

interface Job {
  id: string;
  /** Which attempt this job is for: another job of the same callback may have made it already. */
  attempt?: number;
}

/**
 * Takes over what the release before has queued as jobs. It shares those with its own replicas through its own queue, so that each
 * callback is sent by one or the other.
 */
export function createTakeover({ db, jobs, clock }: { db: Database['db']; jobs: PgBoss; clock: Clock }) {
  async function take(taken: Job[]): Promise<void> {
    const waiting = new Map((await listJobs(db, { ids: taken.map(({ id }) => id) })).map((one) => [one.id, one]));
    const next = taken.flatMap(({ id, attempt }) => {
      const callback = waiting.get(id);
      return callback && (attempt ?? callback.attempts + 1) === callback.attempts + 1 ? [callback] : [];
    });
    await sendNow(db, next);
  }

  /** Ends with the job queue. */
  async function start(): Promise<void> {
    await jobs.createQueue(QUEUE, JOBS);
    await jobs.work<Job>(QUEUE, WORKER, (batch) => take(batch.map(({ data }) => data)));
  }

  /** Those whose job was lost, with a queue that was emptied or restored from a backup, or left behind by a release that came back. */
  async function repair(): Promise<void> {
    const before = new Date(clock.now().getTime() - LOST_MS);
    await sendNow(db, await listJobs(db, { before, limit: LOST_BATCH }));
  }

  return { start, repair };
}
