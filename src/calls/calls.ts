import type { Static } from 'typebox';
import type { Agent, Agents } from '../agents/agents.ts';
import type { Database } from '../db/database.ts';
import { amendAnswer, type Idempotency } from '../db/idempotency.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { Logger } from '../lib/log.ts';
import type { PageRequest } from '../lib/page.ts';
import { isPhoneNumber } from '../lib/phone.ts';
import { INBOUND_ROOM_PREFIX, type Media } from '../providers/media/media.ts';
import type { Session, SessionFilter, Sessions } from '../sessions/sessions.ts';
import { type Dialling, failureReason } from './dialling.ts';
import type { Placing, StartedCall } from './placing.ts';
import type { OutboundCall } from './schema.ts';
import { deleteAllowance, listTransfers } from './store.ts';

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
    try {
      await media.createRoom({ room_name: session.room_name, agent_metadata: agentMetadata(agent, session) });
    } catch (err) {
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
    // Whoever ended the call meanwhile must not hear a phone ring.
    const { call_status } = await sessions.get(session.id, null);
    if (call_status === 'RINGING') dialling.start(session, phone_number);
    else await sessions.closeRoom(session.room_name);
    return call_status ?? 'FAILED';
  }

  /**
   * Takes in a phone that has called into a room: a session of the agent its number is assigned to, and the agent's worker.
   * A number that no active agent has is turned away. Doing it twice is no error: a worker that was not called yet is called then.
   */
  async function receive(room_name: string): Promise<void> {
    const participants = await media.listParticipants(room_name);
    const phone = participants.find(({ kind }) => kind === 'SIP');
    if (!phone) return;
    const called = toE164(phone.attributes['sip.trunkPhoneNumber']);
    const agent = called ? await agents.findByNumber(called) : undefined;
    const caller_number = toE164(phone.attributes['sip.phoneNumber']);
    const added = agent?.is_active ? await addInbound(room_name, agent, caller_number) : undefined;
    const session = added ?? (await sessions.findByRoom(room_name));
    if (!session) {
      log.info({ room_name }, 'an inbound call that no agent answers is turned away');
      await sessions.closeRoom(room_name);
    } else if (agent && session.call_status === 'RINGING' && !participants.some(({ kind }) => kind === 'AGENT')) {
      await media.dispatchAgent(room_name, agentMetadata(agent, session));
    }
  }

  function addInbound(room_name: string, agent: Agent, caller_number: string | null): Promise<Session | undefined> {
    return db.transaction().execute(async (trx) => {
      if (!(await agents.lock(trx, agent.id, null)).is_active) return undefined;
      return sessions.add(trx, {
        ...{ room_name, user_id: agent.user_id, agent_id: agent.id, caller_number },
        ...{ status: 'CREATED', call_direction: 'INBOUND', call_status: 'RINGING' },
      });
    });
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
    receive,
    /** Whether a room of this name was opened by a phone that called in. */
    isInboundRoom: (room_name: string) => room_name.startsWith(INBOUND_ROOM_PREFIX),
    get,
    end,
    detail,
    /** Forgets how much a user has called. */
    eraseAllowance: deleteAllowance,
    list: (filter: SessionFilter, page: PageRequest) => sessions.list({ ...filter, calls: true }, page),
  };
}

/** What the worker is told when it is called into a room. */
function agentMetadata(agent: Agent, session: Session): string {
  const { id: session_id, room_name, user_id, call_direction, outbound_phone_number, caller_number } = session;
  const { id: agent_id, name: agent_name, config } = agent;
  return JSON.stringify({
    session_id,
    room_name,
    user_id,
    agent_id,
    agent_name,
    config,
    call_direction,
    outbound_phone_number,
    caller_number,
  });
}

// The bridge passes on a number as it was dialled, with or without its plus sign.
function toE164(number: string | undefined): string | null {
  const text = number?.replace(/^\+?/, '+') ?? '';
  return isPhoneNumber(text) ? text : null;
}
