import { createHash } from 'node:crypto';
import type { ConnectionOptions, PgBoss } from 'pg-boss';

export const QUEUE = 'callbacks';

export interface AttemptJob {
  id: string;
  /** Which attempt this job is for: another job of the same callback may have made it already. Not told by the release before. */
  attempt?: number;
}

/** Queues the next attempt of a callback, after `delay_s` seconds, in the transaction of what it belongs to. */
export async function queueAttempt(
  jobs: PgBoss,
  { id, url, attempts }: { id: string; url: string; attempts: number },
  delay_s: number,
  db: ConnectionOptions['db'],
): Promise<void> {
  // One receiver that hangs must not hold up the others: so many at a time for each host, of whom the queue need not know.
  const group = { id: createHash('sha256').update(new URL(url).host).digest('base64url') };
  await jobs.send(QUEUE, { id, attempt: attempts + 1 } satisfies AttemptJob, { db, group, startAfter: delay_s });
}
