import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import type { DialOutcome, DialRequest, Media } from '../../providers/media/media.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { isFinal, type Session, type Sessions } from '../sessions/sessions.ts';
import type { Attempt } from './attempts.ts';
import type { Durations } from './call-data.ts';

/** Seconds added to the provider's time limit, so that ours applies first and the end reason is known. */
const BACKSTOP_S = 60;
/** How long beyond the ringing timeout to watch a phone whose outcome the provider has not reported. */
const LOST_ANSWER_MS = 15_000;
const LOOK_EVERY_MS = 500;

interface Deps {
  clock: Clock;
  log: Logger;
  media: Media;
  sessions: Sessions;
  limits: Durations;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };
type Phone = Pick<DialRequest, 'identity' | 'phone_number' | 'from_number'>;

/** Dials single phones, and finds out what became of them if the provider does not tell. */
export function createRing({ clock, log, media, sessions, limits }: Deps) {
  /**
   * Dials a phone into the room of a session, with its own time limits or those of the settings. A provider's failure
   * is an outcome too, with its code as the end reason.
   */
  return async function ring(
    session: Session,
    phone: Phone,
    attempt: Attempt,
    own: Partial<Nullable<Durations>> = {},
  ): Promise<DialOutcome> {
    const outcome = await dial({ ...phone, room_name: session.room_name }, attempt, own);
    const isOurs = outcome.answered || outcome.end_reason !== 'canceled' || (await isCanceled(session));
    return isOurs ? outcome : { ...outcome, end_reason: 'trunk_failure' };
  };

  async function dial(
    phone: Omit<DialRequest, keyof Durations>,
    { canceled }: Attempt,
    own: Partial<Nullable<Durations>>,
  ): Promise<DialOutcome> {
    const { room_name, identity } = phone;
    const ringing_timeout_s = own.ringing_timeout_s ?? limits.ringing_timeout_s;
    const max_duration_s = (own.max_duration_s ?? limits.max_duration_s) + BACKSTOP_S;
    const until = clock.now().getTime() + ringing_timeout_s * 1000 + LOST_ANSWER_MS;
    try {
      return await media.dial({ ...phone, ringing_timeout_s, max_duration_s }, canceled);
    } catch (err) {
      // Canceling a ringing call makes the bridge's request fail.
      log[canceled.aborted ? 'info' : 'error']({ err, room_name }, 'dialling failed');
      if (err instanceof ProviderError && err.retryable) {
        if (await isAnswered(room_name, identity, until, canceled)) return { answered: true };
        await media.removeParticipant(room_name, identity).catch(() => {});
      }
      return { answered: false, no_answer: false, end_reason: failureReason(err), sip_status_code: null };
    }
  }

  /** Whether a phone whose outcome was lost has answered. A ringing one gets the rest of its time. */
  async function isAnswered(
    room_name: string,
    identity: string,
    until: number,
    canceled: AbortSignal,
  ): Promise<boolean> {
    while (!canceled.aborted && clock.now().getTime() < until) {
      const participants = await media.listParticipants(room_name).catch((): null => null);
      const phone = participants?.find((participant) => participant.identity === identity)?.phone;
      if (phone?.state === 'active') return true;
      // The media server has responded, and the phone is gone.
      if (participants && (!phone || phone.state === 'hangup')) return false;
      await clock.sleep(LOOK_EVERY_MS, canceled).catch(() => {});
    }
    return false;
  }

  /**
   * Whether this service ended the call, or its room was closed. Otherwise the far end gave up: a provider's
   * `canceled` alone is not trusted.
   */
  async function isCanceled({ id, room_name }: Session): Promise<boolean> {
    if (isFinal(await sessions.get(id, null))) return true;
    // Without a response nothing says that it was ours; the outcome must be recorded nevertheless.
    const rooms = await media.listRooms().catch(() => null);
    return rooms !== null && !rooms.has(room_name);
  }
}

/** The `end_reason` of a call that failed because of a provider. */
export function failureReason(error: unknown): string {
  return error instanceof ProviderError ? error.code : 'internal_error';
}
