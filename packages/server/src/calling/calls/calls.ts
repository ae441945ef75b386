import type { Static } from 'typebox';
import type { Agents } from '../../conversations/agents/agents.ts';
import { directionOf, numbersOf, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Turns } from '../../conversations/turns/turns.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Compliance } from '../compliance/compliance.ts';
import { jobOf } from '../outbound/call-data.ts';
import type { Decisions } from '../outbound/dial-decisions.ts';
import { placedAs } from '../schedules/schedules.ts';
import type { Transfers } from '../transfers/transfers.ts';
import type { CallOutcome } from './schema.ts';

export type Calls = ReturnType<typeof createCalls>;

type SipColumns = Pick<Awaited<ReturnType<Sessions['callData']>>, 'sip' | 'sip_call_id' | 'carrier_call_sid'>;

interface Deps extends Pick<Platform, 'db'> {
  agents: Agents;
  sessions: Sessions;
  transfers: Transfers;
  decisions: Decisions;
  compliance: Compliance;
  /** The keys that were pressed in a call. */
  keysOf: Turns['toolCalls']['keysOf'];
}

/** Phone calls: sessions with a `call_status`. */
export function createCalls({ db, agents, sessions, transfers, decisions, compliance, keysOf }: Deps) {
  /**
   * Finds a call, also by the id of the scheduled call that became it. Throws `not_found` if it is not a call, unknown,
   * or another user's.
   */
  function reading<T extends Pick<Session, 'call_status'>>(read: (id: string, caller: string | null) => Promise<T>) {
    return async (id: string, caller: string | null): Promise<T> => {
      const call = await read(id, caller).catch(async (error: unknown) => {
        const call_id = error instanceof AppError && error.code === 'not_found' ? await placedAs(db, id) : null;
        if (call_id === null) throw error;
        return read(call_id, caller);
      });
      if (call.call_status === null) throw new AppError('not_found');
      return call;
    };
  }

  const get = reading((id, caller) => sessions.get(id, caller));
  const state = reading(sessions.state);

  /** Hangs up, or cancels a ringing call, and says whether it has. No effect on an ended call. */
  async function end(id: string, caller: string | null): Promise<{ call: Session; hasEnded: boolean }> {
    const call = await get(id, caller);
    const ended = await sessions.apply(call.id, { kind: 'ended', end_reason: 'ended_by_user' });
    return { call: ended ?? (await get(call.id, null)), hasEnded: ended != null };
  }

  /** Records the outcome of a call, ends it if requested and if it has not ended, and says whether it did. */
  async function reportOutcome(id: string, input: Static<typeof CallOutcome>, caller: string | null, actor: Actor) {
    const { hang_up = false, disclosure, opted_out = false, ...outcome } = input;
    const call = await get(id, caller);
    if (outcome.sip) assertPhone(call, outcome.sip);
    if (disclosure) await compliance.disclosed(call, disclosure);
    if (opted_out) await compliance.optOut(call, actor);
    const hasEnded = await sessions.reportOutcome(call.id, outcome, hang_up, caller, actor);
    return { call: await detail(call.id, caller), hasEnded };
  }

  /** The call with its agent's name, its transfers, its keys and its timeline. */
  async function detail(id: string, caller: string | null) {
    const call = await get(id, caller);
    const names = await agents.names(call.agent_id ? [call.agent_id] : []);
    const attempts = await transfers.list(call.id);
    const timeline = await sessions.timeline(call.id);
    const { variables, metadata, record, ...sip } = await sessions.callData(call.id);
    return {
      ...call,
      variables: variables ?? {},
      metadata: metadata ?? {},
      record,
      sip: sipView(sip),
      agent_name: names.get(call.agent_id ?? '') ?? null,
      transfers: attempts,
      dial_decisions: await decisions.ofCall(call),
      keys: await keysOf(call),
      timeline,
    };
  }

  /**
   * The job of the call's worker, built from the version of the agent that the call has; from the agent as it is now if
   * that is not kept. Throws `not_found` for a call without an agent, and if the agent is deleted.
   */
  async function job(id: string, caller: string | null) {
    const call = await get(id, caller);
    const agent = await agents.ofSession(call);
    if (!agent) throw new AppError('not_found');
    const data = await sessions.callData(call.id);
    const isKept = call.agent_version !== null && call.agent_version === agent.version;
    const agent_changed = !isKept && agent.updated_at > (call.dispatched_at ?? call.created_at);
    return { job: jobOf(agent, call, data), agent_changed };
  }

  return {
    get,
    state,
    job,
    end,
    reportOutcome,
    detail,
  };
}

/** Throws `InvalidFields` for a call in a browser, which has no line. */
function assertPhone(call: Session, input: unknown): void {
  if (call.call_direction !== null) return;
  const msg = 'Input should be absent for a call in a browser';
  throw new InvalidFields({ field: 'sip', msg, type: 'value_error', input });
}

/** The SIP facts of a call; null if there are none. */
function sipView({ sip, sip_call_id, carrier_call_sid }: SipColumns) {
  const { bridge_call_id, codec, q850_cause, jitter_ms, packet_loss_percent, headers_in, headers_out } = sip ?? {};
  const view = {
    call_id: sip_call_id,
    bridge_call_id: bridge_call_id ?? null,
    carrier_call_id: carrier_call_sid,
    codec: codec ?? null,
    q850_cause: q850_cause ?? null,
    jitter_ms: jitter_ms ?? null,
    packet_loss_percent: packet_loss_percent ?? null,
    headers_in: headers_in ?? {},
    headers_out: headers_out ?? {},
  };
  const isEmpty = (value: unknown) => value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return Object.values(view).every(isEmpty) ? null : view;
}

/** A call in responses. */
export function view<T extends { id: string }>(call: T) {
  return { ...call, call_id: call.id };
}

/** The same with the fields of our own operations. */
export function fullView<T extends Session>(call: T) {
  return { ...view(call), direction: directionOf(call) ?? 'WEB', ...numbersOf(call) };
}
