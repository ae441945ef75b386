import { isDatabaseUnavailable } from '../../db/database.ts';
import type { Platform } from '../../platform.ts';

/** How long an outcome is kept for a database that is unavailable, and the pause between attempts to record it. */
const [KEPT_MS, PAUSE_MS] = [60_000, 500];

/**
 * Records what a phone has done, and what only this process knows, again and again while the database is unavailable.
 * `write` may have been committed although it has failed.
 */
export async function recordOutcome<T>(
  { clock, log }: Pick<Platform, 'clock' | 'log'>,
  session_id: string,
  write: () => Promise<T>,
): Promise<T> {
  const until = clock.now().getTime() + KEPT_MS;
  for (;;) {
    try {
      return await write();
    } catch (err) {
      if (!(err instanceof Error && isDatabaseUnavailable(err)) || clock.now().getTime() >= until) throw err;
      log.warn({ err, session_id }, 'the outcome of a call could not be recorded; trying again');
      await clock.sleep(PAUSE_MS);
    }
  }
}
