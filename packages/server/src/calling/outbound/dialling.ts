import { isFinal, type Session, type Sessions, type Signal } from '../../conversations/sessions/sessions.ts';
import { isDatabaseUnavailable } from '../../db/database.ts';
import type { LineCharges } from '../../ledger/line-charges/line-charges.ts';
import type { Platform } from '../../platform.ts';
import type { DialOutcome, Phones } from '../../providers/phones.ts';
import type { Rooms } from '../../providers/rooms.ts';
import type { Conductor } from '../conductor/conductor.ts';
import type { Durations } from './call-data.ts';
import { type Attempt, createAttempts, createRing } from './ring.ts';

export type Dialling = ReturnType<typeof createDialling>;

/** The identity of a call's own phone in its room. */
const PHONE_IDENTITY = 'phone';
/** How long an outcome is kept for a database that is unavailable, and the pause between attempts to record it. */
const [OUTCOME_KEPT_MS, OUTCOME_PAUSE_MS] = [60_000, 500];

interface Deps extends Pick<Platform, 'clock' | 'log'> {
  rooms: Rooms;
  phones: Phones;
  sessions: Sessions;
  lineCharges: LineCharges;
  conductor: Conductor;
  limits: Durations & { agent_join_timeout_s: number };
}

/**
 * Dials phones in the background of `POST /api/calls/outbound`. Each call is dialled once, by the process that
 * accepted it, and never again.
 */
export function createDialling({ clock, log, rooms, phones, sessions, lineCharges, conductor, limits }: Deps) {
  const inFlight = new Map<string, Promise<void>>();
  const attempts = createAttempts();
  const ring = createRing({ clock, log, rooms, phones, sessions, limits });

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
        inFlight.delete(session.id);
      });
    inFlight.set(session.id, work);
    const ringing_timeout_s = session.ringing_timeout_s ?? limits.ringing_timeout_s;
    void conductor.watch(session, (ringing_timeout_s + limits.agent_join_timeout_s) * 1000);
  }

  async function run(session: Session, phone_number: string, attempt: Attempt): Promise<void> {
    const { our_number: from_number } = session;
    const hasAnswered = async () => (await sessions.get(session.id, null)).call_status === 'ANSWERED';
    const phone = { identity: PHONE_IDENTITY, phone_number, from_number };
    const outcome = await ring(session, phone, attempt, { durations: session, hasAnswered });
    const changed = await record(session.id, toSignal(outcome));
    const recorded = changed ?? (await sessions.get(session.id, null));
    // A call that was canceled meanwhile must not leave a phone connected or its worker waiting: dialing may have
    // recreated its room. One that the reconciler found to be answered continues.
    if (!changed && isFinal(recorded)) await sessions.closeRoom(session);
    const isOver = outcome.answered && outcome.hung_up === true;
    const now = isOver ? await sessions.end(recorded, 'hangup') : recorded;
    if (outcome.answered && isFinal(now) && now.started_at === null)
      await lineCharges.billLateAnswer((trx) => sessions.lock(trx, session.id));
  }

  /**
   * Records the outcome with the time at which it was known. Only this process knows it: from a lost one the reconciler
   * would conclude that the process has died, and a phone that was answered and has hung up would not be billed.
   */
  async function record(session_id: string, signal: Signal): Promise<Session | null> {
    const until = clock.now().getTime() + OUTCOME_KEPT_MS;
    for (;;) {
      try {
        return await sessions.apply(session_id, signal);
      } catch (err) {
        if (!(err instanceof Error && isDatabaseUnavailable(err)) || clock.now().getTime() >= until) throw err;
        log.warn({ err, session_id }, 'the outcome of a call could not be recorded; trying again');
        await clock.sleep(OUTCOME_PAUSE_MS);
      }
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
    ...attempts,
    start,
    ring,
    isDialing: (session_id: string) => inFlight.has(session_id),
    /** Resolves when this process is not dialling any call. */
    settled: async () => {
      await Promise.all(inFlight.values());
    },
  };
}
