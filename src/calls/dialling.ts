import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { DialOutcome, Media } from '../providers/media/media.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { Session, Sessions, Signal } from '../sessions/sessions.ts';

export type Dialling = ReturnType<typeof createDialling>;

/** The identity of the phone that a call was placed to, in its room. */
const PHONE_IDENTITY = 'phone';

interface Deps {
  clock: Clock;
  log: Logger;
  media: Media;
  sessions: Sessions;
  limits: { ringing_timeout_s: number; max_duration_s: number };
}

/** Rings phones behind the answer of operation 6. A call is dialled once, by the process that took it, and never again. */
export function createDialling({ clock, log, media, sessions, limits }: Deps) {
  const underWay = new Map<string, Promise<void>>();

  /** Starts to dial; the outcome moves the session. */
  function start(session: Session, phone_number: string): void {
    const work = run(session, phone_number)
      .catch((err: unknown) =>
        log.error(
          { err, session_id: session.id },
          'the outcome of a call could not be recorded; the reconciler settles it',
        ),
      )
      .finally(() => underWay.delete(session.id));
    underWay.set(session.id, work);
  }

  async function run(session: Session, phone_number: string): Promise<void> {
    const outcome = await ring(session.room_name, PHONE_IDENTITY, phone_number);
    const changed = await sessions.apply(session.id, toSignal(outcome));
    // Whoever canceled meanwhile must not leave a phone connected, nor the worker of a call that did not come about waiting.
    if (!outcome.answered || !changed) await sessions.closeRoom(session.room_name);
  }

  /** Rings a phone into a room. A provider that fails is an outcome too, with the provider's code as the reason. */
  async function ring(room_name: string, identity: string, phone_number: string): Promise<DialOutcome> {
    try {
      return await media.dial({ room_name, identity, phone_number, ...limits });
    } catch (err) {
      log.error({ err, room_name }, 'dialling failed');
      return { answered: false, no_answer: false, end_reason: failureReason(err), sip_status_code: null };
    }
  }

  function toSignal(outcome: DialOutcome): Signal {
    const at = clock.now();
    if (outcome.answered) return { kind: 'answered', at };
    const { end_reason, sip_status_code } = outcome;
    if (end_reason === 'canceled') return { kind: 'ended', at, end_reason };
    return { kind: outcome.no_answer ? 'no_answer' : 'failed', at, end_reason, sip_status_code };
  }

  return {
    start,
    ring,
    isUnderWay: (session_id: string) => underWay.has(session_id),
    /** Resolves when no call of this process is being dialled. */
    settled: async () => {
      await Promise.all(underWay.values());
    },
  };
}

/** The `end_reason` of a call that a provider's failure ended. */
export function failureReason(error: unknown): string {
  return error instanceof ProviderError ? error.code : 'internal_error';
}
