import type { PgBoss } from 'pg-boss';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { Secrets } from '../callbacks/secrets.ts';
import { readTime } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { ensurePartitions, PARTITIONS_FAILED } from '../db/partitions.ts';
import type { Clock } from '../lib/clock.ts';
import { idsFrom } from '../lib/ids.ts';
import type { Logger } from '../lib/log.ts';
import type { Transcripts } from '../sessions/transcripts.ts';

const QUEUE = 'retention';
/** Every hour, so that no night has much to delete. */
const CRON = '17 * * * *';
const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 1_000;

interface Deps {
  db: Database['db'];
  jobs: PgBoss;
  clock: Clock;
  log: Logger;
  transcripts: Transcripts;
  callbacks: Callbacks;
  secrets: Secrets;
  /** Days that each is kept; undefined: for ever. */
  transcript_days: number | undefined;
  callback_days: number | undefined;
}

/** Deletes what is older than the configuration keeps, and makes room for the months to come, on a schedule that the replicas share. */
export function createRetention({ db, jobs, clock, log, transcripts, callbacks, secrets, ...kept }: Deps) {
  async function run(): Promise<void> {
    const deleted = {
      transcripts: await deleteOlder(kept.transcript_days, transcripts.deleteOlder),
      callbacks: await deleteOlder(kept.callback_days, callbacks.deleteOlder),
    };
    const unopened = await secrets.reseal();
    if (unopened > 0)
      log.error({ unopened }, 'callback secrets that no key of SECRETS_KEY opens: set the key they were sealed with');
    await ensurePartitions(db, await readTime(db)).catch((err: unknown) => log.error({ err }, PARTITIONS_FAILED));
    if (deleted.transcripts + deleted.callbacks > 0) log.info({ deleted }, 'deleted what was older than it is kept');
  }

  /** In batches, so that no transaction holds up the calls. Age is that of the id: nobody can make a row look older or younger. */
  async function deleteOlder(
    days: number | undefined,
    deleteSome: (before: string, limit: number) => Promise<number>,
  ): Promise<number> {
    if (days === undefined) return 0;
    const before = idsFrom(new Date(clock.now().getTime() - days * DAY_MS));
    let total = 0;
    for (let some = BATCH; some === BATCH; total += some) some = await deleteSome(before, BATCH);
    return total;
  }

  /** Starts the schedule; ends with the job queue. */
  async function start(): Promise<void> {
    await jobs.createQueue(QUEUE, { retryLimit: 3, expireInSeconds: 900, policy: 'stately' });
    await jobs.work(QUEUE, { pollingIntervalSeconds: 2 }, run);
    await jobs.schedule(QUEUE, CRON);
    // At once too: secrets may have to be sealed with a key that is new in the environment.
    await jobs.send(QUEUE);
  }

  return { run, start };
}
