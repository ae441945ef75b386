import type { Static } from 'typebox';
import type { Agent, Agents } from '../agents/agents.ts';
import type { Database } from '../db/database.ts';
import { amendAnswer, type Idempotency } from '../db/idempotency.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { Logger } from '../lib/log.ts';
import type { PageRequest } from '../lib/page.ts';
import type { Media } from '../providers/media/media.ts';
import type { Session, SessionFilter, Sessions } from '../sessions/sessions.ts';
import { type Dialling, failureReason } from './dialling.ts';
import type { Placing, StartedCall } from './placing.ts';
import type { OutboundCall } from './schema.ts';
import { deleteAllowance, deleteStreamTokensOf, listTransfers } from './store.ts';
import { agentMetadata } from './worker-job.ts';

export type Calls = ReturnType<typeof createCalls>;

interface Deps {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  media: Media;
  agents: Agents;
  sessions: Sessions;
  dialling: Dialling;
  place: Placing;
}

/** Phone calls: sessions with a `call_status`. */
export function createCalls({ db, clock, log, media, agents, sessions, dialling, place }: Deps) {
  /** Starts an outbound call: commits the session, makes the room, then dials behind the answer. */
  async function start(
    user_id: string,
    input: Static<typeof OutboundCall>,
    idempotency: Idempotency | null,
  ): Promise<StartedCall> {
    const { answer, started } = await place(user_id, input, idempotency);
    // A repeated request is told of the call that the first has started, and dials nothing.
    if (!started) return answer;
    const final = { ...answer, status: await connect(started.agent, started.session, input.phone_number) };
    if (final.status !== answer.status) await amendAnswer(db, idempotency, final);
    return final;
  }

  /** Makes the room and begins to dial; gives the `call_status` then. Without a room the call fails. */
  async function connect(agent: Agent, session: Session, phone_number: string): Promise<string> {
    const attempt = dialling.begin(session.id);
    try {
      await media.createRoom({ room_name: session.room_name, agent_metadata: agentMetadata(agent, session) });
    } catch (err) {
      attempt.end();
      log.error({ err, session_id: session.id }, 'making a room failed');
      const failed = {
        kind: 'failed',
        at: clock.now(),
        end_reason: failureReason(err),
        sip_status_code: null,
      } as const;
      await sessions.apply(session.id, failed);
      return 'FAILED';
    }
    // A call that was ended meanwhile must not ring a phone.
    const { call_status } = await sessions.get(session.id, null);
    if (call_status === 'RINGING') {
      dialling.start(session, phone_number, attempt);
    } else {
      attempt.end();
      await sessions.closeRoom(session.room_name);
    }
    return call_status ?? 'FAILED';
  }

  /** Throws `not_found` for what is no call, unknown, or another user's. */
  async function get(id: string, caller: string | null): Promise<Session> {
    const session = await sessions.get(id, caller);
    if (session.call_status === null) throw new AppError('not_found');
    return session;
  }

  /** Hangs up, or cancels while the phone rings. An ended call is left as it is. */
  async function end(id: string, caller: string | null): Promise<Session> {
    const call = await get(id, caller);
    return sessions.end(call, 'ended_by_user');
  }

  /** The call with its agent's name, its transfers and its timeline. */
  async function detail(id: string, caller: string | null) {
    const call = await get(id, caller);
    const names = await agents.names(call.agent_id ? [call.agent_id] : []);
    const [transfers, timeline] = [await listTransfers(db, call.id), await sessions.timeline(call.id)];
    return { ...call, agent_name: names.get(call.agent_id ?? '') ?? null, transfers, timeline };
  }

  return {
    start,
    get,
    end,
    detail,
    /** Forgets how much a user has called. */
    eraseAllowance: deleteAllowance,
    eraseStreamTokens: deleteStreamTokensOf,
    list: (filter: SessionFilter, page: PageRequest) => sessions.listCalls(filter, page),
  };
}
