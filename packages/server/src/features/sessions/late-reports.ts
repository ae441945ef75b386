import { AppError } from '../../lib/errors.ts';
import type { Session } from './store.ts';

/** Workers may report for a day after the end: some flush late. */
const ACCEPTED_AFTER_END_MS = 24 * 60 * 60 * 1000;

/** Throws `session_ended` for a session that ended too long ago for its worker's reports. */
export function assertTakesReports({ ended_at }: Pick<Session, 'ended_at'>, now: Date): void {
  if (ended_at && now.getTime() - ended_at.getTime() > ACCEPTED_AFTER_END_MS) throw new AppError('session_ended');
}
