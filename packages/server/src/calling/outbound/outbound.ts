import { amendAnswer, type Idempotency } from '../../access/idempotency/idempotency.ts';
import { isFinal, type Session, type Sessions, type Signal } from '../../conversations/sessions/sessions.ts';
import type { LineCharges } from '../../ledger/line-charges/line-charges.ts';
import type { Platform } from '../../platform.ts';
import type { DialOutcome } from '../../providers/phones.ts';
import { failureReason } from '../../providers/provider-error.ts';
import type { Rooms } from '../../providers/rooms.ts';
import type { Conductor } from '../conductor/conductor.ts';
import { type Durations, roomOf } from './call-data.ts';
import type { Decisions } from './dial-decisions.ts';
import type { Booking, OutboundCall, Placing, Started, StartedCall } from './placing.ts';
import { type Attempt, type Attempts, type Ring, recordOutcome } from './ring.ts';

export type Outbound = ReturnType<typeof createOutbound>;

/** The identity of a call's own phone in its room. */
const PHONE_IDENTITY = 'phone';

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log'> {
  rooms: Rooms;
  sessions: Sessions;
  lineCharges: LineCharges;
  conductor: Conductor;
  deciding: Pick<Placing, 'place'> & Pick<Decisions, 'stillAllows'>;
  attempts: Attempts;
  ring: Ring;
  limits: Durations & { agent_join_timeout_s: number };
}

/**
 * Outbound calls: recorded, given a room, then dialled in the background of `POST /api/calls/outbound`. Each call is
 * dialled once, by the process that accepted it, and never again.
 */
export function createOutbound(deps: Deps) {
  const { db, clock, log, rooms, sessions, lineCharges, conductor, deciding, attempts, ring, limits } = deps;
  const { place, stillAllows } = deciding;

  /** Starts an outbound call: commits the session, creates the room, then dials in the background. */
  async function start(
    user_id: string,
    input: OutboundCall,
    idempotency: Idempotency | null,
    booking?: Booking,
  ): Promise<StartedCall> {
    const { answer, started } = await place(user_id, input, idempotency, booking);
    // A repeated request returns the first one's call and dials nothing.
    if (!started) return answer;
    const final = { ...answer, status: await connect(started, input) };
    if (final.status !== answer.status) await amendAnswer(db, idempotency, final);
    return final;
  }

  /** Creates the room and starts to dial; returns the resulting `call_status`. Without a room the call fails. */
  async function connect({ agent, session, attempt: decided }: Started, input: OutboundCall): Promise<string> {
    const attempt = attempts.beginCall(session.id);
    let isDialling = false;
    try {
      if (!(await createRoom(agent, session, input))) return 'FAILED';
      const look = () => stillAllows(session, decided);
      const { call_status, isAllowed } = await look();
      if (call_status === 'RINGING' && isAllowed) {
        const mayDial = async () => (await look()).isAllowed;
        attempts.track(session.id, dial(session, input, attempt, mayDial));
        isDialling = true;
        const ringing_timeout_s = session.ringing_timeout_s ?? limits.ringing_timeout_s;
        void conductor.watch(session, (ringing_timeout_s + limits.agent_join_timeout_s) * 1000);
        return 'RINGING';
      }
      // A call that was ended meanwhile, also while it was decided again, must not ring a phone.
      if (call_status === 'RINGING') await fail(session, 'interrupted');
      await sessions.closeRoom(session);
      return call_status === 'RINGING' ? 'FAILED' : (call_status ?? 'FAILED');
    } finally {
      if (!isDialling) attempt.end();
    }
  }

  /** Whether there is a room; without one the call fails. */
  async function createRoom(agent: Started['agent'], session: Session, input: OutboundCall): Promise<boolean> {
    try {
      await rooms.createRoom(roomOf(agent, session, input));
      return true;
    } catch (err) {
      log.error({ err, session_id: session.id }, 'creating a room failed');
      await fail(session, failureReason(err));
      return false;
    }
  }

  async function fail({ id }: Session, end_reason: string): Promise<void> {
    await sessions.apply(id, { kind: 'failed', at: clock.now(), end_reason, sip_status_code: null });
  }

  /** Dials the phone; the outcome changes the session. Never rejects. */
  async function dial(
    session: Session,
    input: OutboundCall,
    attempt: Attempt,
    mayDial: () => Promise<boolean>,
  ): Promise<void> {
    const { phone_number, sip_headers: headers } = input;
    const { id: session_id, our_number: from_number } = session;
    const hasAnswered = async () => (await sessions.get(session_id, null)).call_status === 'ANSWERED';
    const phone = { identity: PHONE_IDENTITY, phone_number, from_number, headers };
    try {
      const outcome = await ring(session, phone, attempt, { durations: session, hasAnswered, mayDial });
      await settle(session, outcome);
    } catch (err) {
      log.error({ err, session_id }, 'recording the outcome of a call failed; the reconciler will settle it');
    } finally {
      attempt.end();
    }
  }

  async function settle(session: Session, outcome: DialOutcome): Promise<void> {
    // With the time at which it was known. From a lost outcome the reconciler would conclude that this process has
    // died, and a phone that was answered and has hung up would not be billed.
    const signal = toSignal(outcome, clock.now());
    const { trunks = null } = outcome;
    const changed = await recordOutcome(deps, session.id, () => sessions.apply(session.id, signal, { trunks }));
    // Before a late answer is billed: the trunk says whose line it is.
    if (!changed && trunks) await recordOutcome(deps, session.id, () => sessions.noteTrunks(session.id, trunks));
    const recorded = changed ?? (await sessions.get(session.id, null));
    // A call that was canceled meanwhile must not leave a phone connected or its worker waiting: dialing may have
    // recreated its room. One that the reconciler found to be answered continues.
    if (!changed && isFinal(recorded)) await sessions.closeRoom(session);
    if (outcome.answered) {
      const now = outcome.hung_up ? await sessions.end(recorded, 'hangup') : recorded;
      if (isFinal(now) && now.started_at === null)
        await recordOutcome(deps, session.id, () =>
          lineCharges.billLateAnswer((trx) => sessions.lock(trx, session.id)),
        );
    }
  }

  return {
    start,
    /** Dials a call that was recorded, once, and never again. */
    connect,
  };
}

function toSignal(outcome: DialOutcome, at: Date): Signal {
  if (outcome.answered) return { kind: 'answered', at };
  const { end_reason, sip_status_code } = outcome;
  if (end_reason === 'canceled') return { kind: 'ended', at, end_reason };
  return { kind: outcome.no_answer ? 'no_answer' : 'failed', at, end_reason, sip_status_code };
}
