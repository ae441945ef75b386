import { AppError } from '../../lib/errors.ts';
import type { Session } from './store.ts';

/** A worker that flushes late still finds its session open for a day. */
const ACCEPTED_AFTER_END_MS = 24 * 60 * 60 * 1000;

/** Throws `session_ended` for a session that ended too long ago for reports of its worker. */
export function assertTakesReports({ ended_at }: Pick<Session, 'ended_at'>, now: Date): void {
  if (ended_at && now.getTime() - ended_at.getTime() > ACCEPTED_AFTER_END_MS) throw new AppError('session_ended');
}
