import type { Db } from '../../db/tables.ts';
import { InvalidFields } from '../../lib/errors.ts';
import { mergePatch } from '../../lib/json.ts';
import { findSessionData, type Session } from './store.ts';

export const MAX_SESSION_DATA_BYTES = 1024 * 1024;

/**
 * The session's data merged with `metadata`, as JSON text; the session is locked. Throws `InvalidFields` if the
 * result is too large.
 */
export async function mergedData(trx: Db, id: string, metadata: Record<string, unknown>): Promise<string> {
  const merged = JSON.stringify(mergePatch(await findSessionData(trx, id), metadata));
  if (Buffer.byteLength(merged) <= MAX_SESSION_DATA_BYTES) return merged;
  const msg = `session_data would grow beyond ${MAX_SESSION_DATA_BYTES} bytes`;
  throw new InvalidFields({ field: 'metadata', msg, type: 'too_long' });
}

/**
 * Throws `InvalidFields` for an end before the start. Together with a duration the figures are taken as they are:
 * they come from another clock.
 */
export function assertAfterStart(
  session: Session,
  given: { ended_at?: Date | undefined; duration?: number | undefined },
): void {
  if (!given.ended_at || given.duration !== undefined || !session.started_at || given.ended_at >= session.started_at)
    return;
  const msg = 'Input should not be before started_at';
  throw new InvalidFields({ field: 'ended_at', msg, type: 'datetime_before_start' });
}
