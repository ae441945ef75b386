import { PgBoss } from 'pg-boss';
import type { Logger } from '../lib/log.ts';
import type { Database } from './database.ts';

/** The queue of background jobs, in the same database as everything else, so that a job and its cause are one transaction. */
export async function openJobs(database: Database, log: Logger): Promise<PgBoss> {
  const jobs = new PgBoss({
    db: database.jobs,
    backend: database.kind === 'embedded' ? 'pglite' : 'postgres',
  });
  jobs.on('error', (err) => log.error({ err }, 'job queue'));
  await jobs.start();
  return jobs;
}
