import { amendAnswer, type Idempotency } from '../../access/idempotency/idempotency.ts';
import type { Agent } from '../../conversations/agents/agents.ts';
import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Platform } from '../../platform.ts';
import { failureReason } from '../../providers/provider-error.ts';
import type { Rooms } from '../../providers/rooms.ts';
import type { Dialling } from './dialling.ts';
import type { OutboundCall, Placing, StartedCall } from './placing.ts';
import { roomOf } from './worker-job.ts';

export type Outbound = ReturnType<typeof createOutbound>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log'> {
  rooms: Rooms;
  sessions: Sessions;
  dialling: Dialling;
  place: Placing;
}

/** Outbound calls: recorded, given a room, then dialled. */
export function createOutbound({ db, clock, log, rooms, sessions, dialling, place }: Deps) {
  /** Starts an outbound call: commits the session, creates the room, then dials in the background. */
  async function start(user_id: string, input: OutboundCall, idempotency: Idempotency | null): Promise<StartedCall> {
    const { answer, started } = await place(user_id, input, idempotency);
    // A repeated request returns the first one's call and dials nothing.
    if (!started) return answer;
    const final = { ...answer, status: await connect(started.agent, started.session, input) };
    if (final.status !== answer.status) await amendAnswer(db, idempotency, final);
    return final;
  }

  /** Creates the room and starts to dial; returns the resulting `call_status`. Without a room the call fails. */
  async function connect(agent: Agent, session: Session, input: OutboundCall): Promise<string> {
    const attempt = dialling.begin(session.id);
    try {
      await rooms.createRoom(roomOf(agent, session, input));
    } catch (err) {
      attempt.end();
      log.error({ err, session_id: session.id }, 'creating a room failed');
      const end_reason = failureReason(err);
      await sessions.apply(session.id, { kind: 'failed', at: clock.now(), end_reason, sip_status_code: null });
      return 'FAILED';
    }
    // A call that was ended meanwhile must not ring a phone.
    const { call_status } = await sessions.get(session.id, null);
    if (call_status === 'RINGING') {
      dialling.start(session, input.phone_number, attempt);
    } else {
      attempt.end();
      await sessions.closeRoom(session);
    }
    return call_status ?? 'FAILED';
  }

  return { start };
}
