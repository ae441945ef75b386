import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import type { DialOutcome, DialRequest, Media } from '../../providers/media/media.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Line } from '../line/line.ts';
import { isFinal, type Session, type Sessions, type Signal } from '../sessions/sessions.ts';
import type { Durations } from './call-data.ts';

export type Dialling = ReturnType<typeof createDialling>;

/** The identity of a call's own phone in its room. */
const PHONE_IDENTITY = 'phone';
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
  line: Line;
  limits: Durations;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };
type Phone = Pick<DialRequest, 'identity' | 'phone_number' | 'from_number'>;

/** An attempt to reach a phone for a session: begins before the room is created, and ends with the outcome. */
export interface Attempt {
  /** Fires when the session has ended in this process. */
  canceled: AbortSignal;
  end(): void;
}

/**
 * Dials phones in the background of `POST /api/calls/outbound`. Each call is dialled once, by the process that
 * accepted it, and never again.
 */
export function createDialling({ clock, log, media, sessions, line, limits }: Deps) {
  const underWay = new Map<string, Promise<void>>();
  const attempts = new Map<string, Set<AbortController>>();

  function begin(session_id: string): Attempt {
    const attempt = new AbortController();
    const ofSession = attempts.get(session_id) ?? new Set();
    attempts.set(session_id, ofSession.add(attempt));
    return {
      canceled: attempt.signal,
      end: () => {
        ofSession.delete(attempt);
        if (ofSession.size === 0) attempts.delete(session_id);
      },
    };
  }

  /** Cancels all dialling for a session that has ended. */
  function cancel(session_id: string): void {
    for (const attempt of attempts.get(session_id) ?? []) attempt.abort();
  }

  /** Starts to dial in the background; the outcome changes the session. */
  function start(session: Session, phone_number: string, attempt: Attempt): void {
    const work = run(session, phone_number, attempt)
      .catch((err: unknown) =>
        log.error(
          { err, session_id: session.id },
          'recording the outcome of a call failed; the reconciler will settle it',
        ),
      )
      .finally(() => {
        attempt.end();
        underWay.delete(session.id);
      });
    underWay.set(session.id, work);
  }

  async function run(session: Session, phone_number: string, attempt: Attempt): Promise<void> {
    const { our_number: from_number } = session;
    const outcome = await ring(session, { identity: PHONE_IDENTITY, phone_number, from_number }, attempt, session);
    const changed = await sessions.apply(session.id, toSignal(outcome));
    // A call that was canceled meanwhile must not leave a phone connected or its worker waiting. One that the
    // reconciler found to be answered continues.
    const now = changed ?? (await sessions.get(session.id, null));
    if (isFinal(now)) await sessions.closeRoom(session.room_name);
    if (outcome.answered && isFinal(now) && now.started_at === null)
      await line.billLateAnswer((trx) => sessions.lock(trx, session.id));
  }

  /**
   * Dials a phone into the room of a session, with its own time limits or those of the settings. A provider's failure
   * is an outcome too, with its code as the end reason.
   */
  async function ring(
    session: Session,
    phone: Phone,
    attempt: Attempt,
    own: Partial<Nullable<Durations>> = {},
  ): Promise<DialOutcome> {
    const outcome = await dial({ ...phone, room_name: session.room_name }, attempt, own);
    const isOurs = outcome.answered || outcome.end_reason !== 'canceled' || (await isCanceled(session));
    return isOurs ? outcome : { ...outcome, end_reason: 'trunk_failure' };
  }

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

  function toSignal(outcome: DialOutcome): Signal {
    const at = clock.now();
    if (outcome.answered) return { kind: 'answered', at };
    const { end_reason, sip_status_code } = outcome;
    if (end_reason === 'canceled') return { kind: 'ended', at, end_reason };
    return { kind: outcome.no_answer ? 'no_answer' : 'failed', at, end_reason, sip_status_code };
  }

  /**
   * Whether this service ended the call, or somebody closed its room. Otherwise the far end gave up: a provider's
   * `canceled` alone is not trusted.
   */
  async function isCanceled({ id, room_name }: Session): Promise<boolean> {
    if (isFinal(await sessions.get(id, null))) return true;
    return !(await media.listRooms()).has(room_name);
  }

  return {
    begin,
    cancel,
    start,
    ring,
    isUnderWay: (session_id: string) => underWay.has(session_id),
    /** Resolves when this process is not dialling any call. */
    settled: async () => {
      await Promise.all(underWay.values());
    },
  };
}

/** The `end_reason` of a call that failed because of a provider. */
export function failureReason(error: unknown): string {
  return error instanceof ProviderError ? error.code : 'internal_error';
}
