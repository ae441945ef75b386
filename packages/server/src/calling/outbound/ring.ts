import { isFinal, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import { isDatabaseUnavailable } from '../../db/database.ts';
import { BACKSTOP_S } from '../../db/reserves.ts';
import type { TrunkAttempt } from '../../db/trunk-columns.ts';
import type { Platform } from '../../platform.ts';
import type { DialOutcome, DialRequest } from '../../providers/phones.ts';
import { failureReason, ProviderError } from '../../providers/provider-error.ts';
import type { Rooms } from '../../providers/rooms.ts';
import type { Durations } from './call-data.ts';
import type { DialWithFailover } from './failover.ts';

/** How long beyond the ringing timeout to watch a phone whose outcome the provider has not reported. */
const LOST_ANSWER_MS = 15_000;
const POLL_INTERVAL_MS = 500;
/** How long after a request whose response was lost the bridge may still join the room. */
const JOINS_MS = 3_000;
/** How long an outcome is kept for a database that is unavailable, and the pause between attempts to record it. */
const [KEPT_MS, PAUSE_MS] = [60_000, 500];

/** An attempt to reach a phone for a session: begins before the room is created, and ends with the outcome. */
export interface Attempt {
  /** Fires when the session has ended in this process. */
  canceled: AbortSignal;
  end(): void;
}

export type Ring = ReturnType<typeof createRing>;
export type Attempts = ReturnType<typeof createAttempts>;

interface Deps extends Pick<Platform, 'clock' | 'log'> {
  rooms: Rooms;
  dialWithFailover: DialWithFailover;
  sessions: Sessions;
  limits: Durations;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

interface Options {
  /** Time limits of its own; null where those of the settings apply. */
  durations?: Partial<Nullable<Durations>>;
  /** Whether it was recorded, meanwhile, that the phone has answered. */
  hasAnswered: () => Promise<boolean>;
  /** Whether it may be dialled over another trunk, by then. */
  mayDial?: () => Promise<boolean>;
}

/** A phone whose outcome was lost. */
interface Lost {
  room_name: string;
  identity: string;
  /** When it does not join its room any more, by `performance.now()`. */
  joinsUntil: number;
  /** When it stops ringing, in ms since 1970. */
  ringsUntil: number;
}

type Phone = Pick<DialRequest, 'identity' | 'phone_number' | 'from_number' | 'headers' | 'ring_tone' | 'attributes'>;

/** Dials single phones, and finds out what became of them if the provider does not tell. */
export function createRing({ clock, log, rooms, dialWithFailover, sessions, limits }: Deps) {
  /**
   * Dials a phone into the room of a session. A provider's failure is an outcome too, with its code as the end reason.
   */
  return async function ring(session: Session, phone: Phone, attempt: Attempt, options: Options): Promise<DialOutcome> {
    const tried: TrunkAttempt[] = [];
    const outcome = await dial(session, phone, attempt, options, tried);
    const isOurs = outcome.answered || outcome.end_reason !== 'canceled' || (await isCanceled(session));
    return withTrunks(isOurs ? outcome : { ...outcome, end_reason: 'trunk_failure' }, tried);
  };

  async function dial(
    { id, room_name }: Session,
    phone: Phone,
    { canceled }: Attempt,
    { durations, hasAnswered, mayDial }: Options,
    tried: TrunkAttempt[],
  ): Promise<DialOutcome> {
    const times = timesOf(durations, limits);
    const begun = clock.now().getTime();
    const ringsUntil = begun + times.ringing_timeout_s * 1000;
    try {
      return await dialWithFailover(id, { ...phone, room_name, ...times }, { canceled, tried, mayDial });
    } catch (err) {
      // Canceling a ringing call makes the bridge's request fail.
      log[canceled.aborted ? 'info' : 'error']({ err, room_name }, 'dialling failed');
      if (err instanceof ProviderError && err.retryable) {
        const joinsUntil = performance.now() + (isCutOff(err) ? JOINS_MS : 0);
        const lost = { room_name, identity: phone.identity, joinsUntil, ringsUntil };
        if (await isAnswered(lost, canceled, () => hasAnswered().catch(() => false))) return { answered: true };
      }
      return { answered: false, no_answer: false, end_reason: failureReason(err), sip_status_code: null };
    }
  }

  /**
   * Whether a phone whose outcome was lost has answered; one that has not is removed. A ringing one gets the rest of
   * its time. One that is not in the room may have been dialled just now, and would ring after its call had failed. The
   * record comes first: a bridge that has reconnected shows an answered phone as dialing for the rest of the call.
   */
  async function isAnswered(
    { room_name, identity, joinsUntil, ringsUntil }: Lost,
    canceled: AbortSignal,
    isKnown: () => Promise<boolean>,
  ): Promise<boolean> {
    while (!canceled.aborted) {
      if (await isKnown()) return true;
      if (clock.now().getTime() >= ringsUntil + LOST_ANSWER_MS) break;
      const participants = await rooms.listParticipants(room_name).catch((): null => null);
      const phone = participants?.find((participant) => participant.identity === identity)?.phone;
      if (phone?.state === 'active') return true;
      // The media server has responded, and the phone is gone, or does not come.
      const isAwaited = !phone && performance.now() < joinsUntil;
      if (participants && !isAwaited && (!phone || phone.state === 'hangup')) break;
      await clock.sleep(POLL_INTERVAL_MS, canceled).catch(() => {});
    }
    await rooms.removeParticipant(room_name, identity).catch(() => {});
    return false;
  }

  /**
   * Whether this service ended the call, or its room was closed. Otherwise the far end gave up: a provider's
   * `canceled` alone is not trusted.
   */
  async function isCanceled({ id, room_name }: Session): Promise<boolean> {
    if (isFinal(await sessions.get(id, null))) return true;
    // Without a response nothing says that it was ours; the outcome must be recorded nevertheless.
    const listed = await rooms.listRooms().catch(() => null);
    return listed !== null && !listed.has(room_name);
  }
}

/**
 * Whether a request broke off, so that the phone may be dialled at this moment: no answer of the provider, which says
 * more than a proxy's status, and no timeout, which is longer than a phone takes to join.
 */
function isCutOff({ code, provider_code }: ProviderError): boolean {
  return code === 'provider_unavailable' && (provider_code === null || /^5\d\d$/.test(provider_code));
}

/**
 * The limits of a phone, in seconds, as the provider is told them: later than ours, which apply first, so that the end
 * reason is known.
 */
function timesOf(own: Options['durations'], limits: Durations): Durations {
  return {
    ringing_timeout_s: own?.ringing_timeout_s ?? limits.ringing_timeout_s,
    max_duration_s: (own?.max_duration_s ?? limits.max_duration_s) + BACKSTOP_S,
  };
}

/** The outcome with the trunks that were tried. What became of the call on the last one may be known only now. */
function withTrunks(outcome: DialOutcome, tried: TrunkAttempt[]): DialOutcome {
  const last = tried.pop();
  if (!last) return outcome;
  const { end_reason, sip_status_code } = outcome.answered ? { end_reason: null, sip_status_code: null } : outcome;
  return { ...outcome, trunks: [...tried, { trunk: last.trunk, end_reason, sip_status_code }] };
}

/** The attempts in progress in this process, by session. */
export function createAttempts() {
  const attempts = new Map<string, Set<AbortController>>();
  const calls = new Map<string, Promise<void>>();
  const own = new Set<string>();

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

  /** The same for the call's own phone: only this process is to judge a call that is being dialled. */
  function beginCall(session_id: string): Attempt {
    const attempt = begin(session_id);
    own.add(session_id);
    return {
      ...attempt,
      end: () => {
        own.delete(session_id);
        attempt.end();
      },
    };
  }

  /** Cancels all dialling for a session that has ended. */
  function cancel({ id }: Pick<Session, 'id'>): void {
    for (const attempt of attempts.get(id) ?? []) attempt.abort();
  }

  return {
    begin,
    beginCall,
    cancel,
    /** Keeps the dialling of a call's own phone until its outcome is recorded. */
    track: (session_id: string, dialling: Promise<void>) => {
      calls.set(
        session_id,
        dialling.finally(() => calls.delete(session_id)),
      );
    },
    /** Whether this process is dialling a call's own phone, or is about to. */
    isDialing: (session_id: string) => own.has(session_id),
    /** Resolves when this process is not dialling any call. */
    settled: async () => {
      await Promise.all(calls.values());
    },
  };
}

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
      if (!isDatabaseUnavailable(err) || clock.now().getTime() >= until) throw err;
      log.warn({ err, session_id }, 'the outcome of a call could not be recorded; trying again');
      await clock.sleep(PAUSE_MS);
    }
  }
}
