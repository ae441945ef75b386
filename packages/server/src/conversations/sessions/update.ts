import type { Static } from 'typebox';
import type { Content } from '../../access/data-keys/content.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { mergePatch } from '../../lib/json.ts';
import { type Actor, owned } from '../../lib/principal.ts';
import { expireAgain } from './expiry-store.ts';
import { figures, isFinal } from './lifecycle.ts';
import type { Correction } from './outcome.ts';
import type { SessionUpdate } from './schema.ts';
import { findSessionData, lockSession, type Session, updateSession } from './store.ts';
import type { Apply } from './transition.ts';

export const MAX_SESSION_DATA_BYTES = 1024 * 1024;

interface Deps {
  clock: Clock;
  content: Content;
  transact: <T>(work: (trx: Db, apply: Apply) => Promise<T>) => Promise<T>;
  aroundCorrection: Correction;
  /** Throws `not_found`. */
  get: (id: string, caller: string | null) => Promise<Session>;
}

type Update = Static<typeof SessionUpdate>;

/** The end of a session, as its agent reports it; `duration` in seconds. */
interface End {
  ended_at: Date | undefined;
  duration: number | undefined;
}

/** Updates sessions as their agents report. */
export function createUpdate({ clock, content, transact, aroundCorrection, get }: Deps) {
  /** Merges `metadata`; `ended_at` and `duration` end a live session, or correct the figures of an ended one. */
  return async function update(id: string, input: Update, caller: string | null, actor: Actor): Promise<Session> {
    await get(id, caller);
    const now = clock.now();
    const given = endOf(input);
    return transact(async (trx, apply) => {
      const before = owned(await lockSession(trx, id), caller);
      // A late update must not restore erased data.
      if (before.erased_at !== null) throw new AppError('not_found');
      const merged = input.metadata && (await mergedData(trx, id, input.metadata));
      if (merged && isFinal(before)) await expireAgain(trx, id, now);
      const data = merged ? { session_data: await content.closeJson(trx, before.user_id, merged) } : {};
      const write = (figures: object) => updateSession(trx, id, { updated_at: now, ...data, ...figures });
      if (!given) return write({});
      assertAfterStart(before, given);
      if (input.metadata) await write({});
      const signal = { kind: 'ended', end_reason: 'ended_by_agent', ...given } as const;
      const [changed] = await apply([{ id: before.id, signal }]);
      if (changed) return changed.after;
      const corrected = figures(before.started_at, before.ended_at ?? now, given);
      return aroundCorrection(trx, { before, actor }, () => write(corrected));
    });
  };
}

/** The reported end; null if the session goes on. */
function endOf({ ended_at, duration }: Update): End | null {
  if (!ended_at && typeof duration !== 'number') return null;
  return { ended_at: ended_at ? new Date(ended_at) : undefined, duration: duration ?? undefined };
}

/**
 * The session's data merged with `metadata`, as JSON text; the session is locked. Throws `InvalidFields` if the
 * result is too large.
 */
async function mergedData(trx: Db, id: string, metadata: Record<string, unknown>): Promise<string> {
  const merged = JSON.stringify(mergePatch(await findSessionData(trx, id), metadata));
  if (Buffer.byteLength(merged) <= MAX_SESSION_DATA_BYTES) return merged;
  const msg = `session_data would grow beyond ${MAX_SESSION_DATA_BYTES} bytes`;
  throw new InvalidFields({ field: 'metadata', msg, type: 'too_long' });
}

/**
 * Throws `InvalidFields` for an end before the start. Together with a duration the figures are taken as they are:
 * they come from another clock.
 */
function assertAfterStart(session: Session, given: End): void {
  if (!given.ended_at || given.duration !== undefined || !session.started_at || given.ended_at >= session.started_at)
    return;
  const msg = 'Input should not be before started_at';
  throw new InvalidFields({ field: 'ended_at', msg, type: 'datetime_before_start' });
}
