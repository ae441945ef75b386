import type { Agent, Agents } from '../../conversations/agents/agents.ts';
import { numbersOf, type Session } from '../../conversations/sessions/sessions.ts';
import { AppError } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { assertCallable, type CallingPolicy } from '../outbound/destinations.ts';
import type { BeginTransfer } from './begin.ts';
import type { WarmTransfers } from './warm-transfer.ts';

const E164 = /^\+[1-9]\d{1,14}$/;
/** Seconds before the call would end because no worker has joined. */
const SPARE_S = 5;

interface Deps extends Pick<Platform, 'log'> {
  agents: Agents;
  policy: CallingPolicy;
  begin: BeginTransfer;
  warm: WarmTransfers;
  limits: { agent_join_timeout_s: number };
}

/**
 * Inbound calls that no worker takes in time, and that go to the fallback number of their agent. It is dialled into the
 * room, for which the bridge answers the caller: a phone that only rings cannot be referred (RFC 3515).
 */
export function createFallbacks({ log, agents, policy, begin, warm, limits }: Deps) {
  /** Milliseconds that a worker has to take an inbound call of the agent; null if there is no fallback number. */
  function waitOf({ config }: Pick<Agent, 'config'>): number | null {
    const { fallback_number, max_wait_s } = inboundOf(config);
    if (!fallback_number) return null;
    const most = Math.max(1, limits.agent_join_timeout_s - SPARE_S);
    return Math.min(max_wait_s ?? most, most) * 1000;
  }

  /** Dials the fallback number once. False if it must not be dialled: the call goes on waiting for a worker. */
  async function start(session: Session, { config }: Pick<Agent, 'config'>): Promise<boolean> {
    const { fallback_number: phone_number } = inboundOf(config);
    if (!phone_number) return false;
    const { from_number, to_number } = numbersOf(session);
    const actor: Actor = { actor: 'fallback', user_id: null, ip: null };
    try {
      const number = canonicalNumber(phone_number);
      // Dialing it would call this agent or another one, whose fallback may be this one, or the waiting phone.
      const isInUse = [from_number, to_number].some((one) => one !== null && canonicalNumber(one) === number);
      if (isInUse || (await agents.findByNumber(number, null))) throw new AppError('destination_not_allowed');
      assertCallable(phone_number, policy);
      warm.dial(session, await begin(session, { phone_number, transfer_type: 'WARM', is_fallback: true }, actor));
      return true;
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      // Another process dials it, or a worker has just taken the call.
      if (err.code === 'transfer_in_progress' || err.code === 'session_not_active') return true;
      log.warn({ session_id: session.id, code: err.code }, 'the fallback number of an inbound call is not dialled');
      return false;
    }
  }

  return { waitOf, start };
}

/** The part of a configuration that is about inbound calls, as far as it is valid: a configuration may be anything. */
function inboundOf({ inbound }: Agent['config']): { fallback_number?: string; max_wait_s?: number } {
  if (!isObject(inbound)) return {};
  const { fallback_number, max_wait_s } = inbound;
  return {
    ...(typeof fallback_number === 'string' && E164.test(fallback_number) && { fallback_number }),
    ...(typeof max_wait_s === 'number' && max_wait_s >= 1 && { max_wait_s }),
  };
}
