import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import type { Media } from '../../providers/media/media.ts';
import type { Inbound } from '../calls/inbound.ts';
import { isBrowser, type Settle } from '../calls/settle.ts';
import type { Dialling } from '../dialling/dialling.ts';
import { directionOf, type Session, type Sessions } from '../sessions/sessions.ts';
import { phoneOf } from '../transfers/phones.ts';

/** How long beyond its ringing timeout a phone is awaited whose dialing process may have died. */
const RINGING_GRACE_MS = 15_000;

/** How long the people count of a room with listed participants may be zero; the count is some seconds old. */
const UNCOUNTED_MS = 20_000;

/** Observations of one round about a call. */
interface Observed {
  /** Whether its room or its phone has been missing for longer than the grace period; a few seconds by default. */
  isMissing(call: Session, graceMs?: number): boolean;
  /**
   * Whether to check it although its room looks normal: in rotation, or because a participant was missing in the
   * previous round.
   */
  isSampled: boolean;
}

export type CallReconciler = ReturnType<typeof createCallReconciler>;

interface Deps {
  clock: Clock;
  log: Logger;
  media: Media;
  sessions: Sessions;
  inbound: Inbound;
  dialling: Dialling;
  settle: Settle;
  limits: { ringing_timeout_s: number; agent_join_timeout_s: number; browser_join_timeout_s: number };
}

/** Settles one open call by the media provider's view of it. */
export function createCallReconciler({ clock, log, media, sessions, inbound, dialling, settle, limits }: Deps) {
  async function reconcileCall(call: Session, room: { people: number } | undefined, seen: Observed): Promise<void> {
    if (!room) await withoutRoom(call, seen);
    else if (settle.isOverTime(call)) await sessions.end(call, 'max_duration');
    else if (call.call_status === 'ANSWERED') await answered(call, room.people, seen);
    else if (call.call_direction === 'INBOUND') await inboundRinging(call);
    else if (directionOf(call) === 'WEB') await webWaiting(call);
    else await ringing(call, seen);
  }

  async function withoutRoom(call: Session, seen: Observed): Promise<void> {
    if (dialling.isDialing(call.id) || !seen.isMissing(call)) return;
    log.warn({ session_id: call.id }, 'an open call has no room');
    if (call.call_status === 'ANSWERED') await sessions.end(call, 'room_ended');
    else await fail(call, 'interrupted');
  }

  /**
   * A ringing phone: its own state shows whether it has been answered. Everything else is decided by the process that
   * dials it, unless that is another process, which may have died.
   */
  async function ringing(call: Session, seen: Observed): Promise<void> {
    const isOurs = dialling.isDialing(call.id);
    if (isOurs && !seen.isSampled) return;
    const ringsMs = (call.ringing_timeout_s ?? limits.ringing_timeout_s) * 1000;
    const phone = phoneOf(await media.listParticipants(call.room_name));
    if (phone?.phone?.state === 'active') await sessions.apply(call.id, { kind: 'answered', at: clock.now() });
    else if (isOurs) return;
    else if (phone ? age(call) > ringsMs + RINGING_GRACE_MS : seen.isMissing(call)) await fail(call, 'interrupted');
  }

  /** An inbound call that rings: the caller may be gone, the worker missing, or the answer's event lost. */
  async function inboundRinging(call: Session): Promise<void> {
    const participants = await media.listParticipants(call.room_name);
    const hasAgent = participants.some(({ kind }) => kind === 'AGENT');
    const isActive = participants.some(({ phone }) => phone?.state === 'active');
    if (hasAgent && isActive) await sessions.apply(call.id, { kind: 'answered', at: clock.now() });
    else if (!hasAgent && age(call) > limits.agent_join_timeout_s * 1000) await neverJoined(call);
    else if (!hasAgent) await inbound.receive(call.room_name);
    await settle.settle(call);
  }

  /** A call in a browser without both of its sides, or whose join events were lost. */
  async function webWaiting(call: Session): Promise<void> {
    const participants = await media.listParticipants(call.room_name);
    const hasAgent = participants.some(({ kind }) => kind === 'AGENT');
    const hasBrowser = participants.some(isBrowser);
    if (hasAgent && hasBrowser) await settle.settle(call);
    else if (!hasAgent && age(call) > limits.agent_join_timeout_s * 1000) await neverJoined(call);
    else if (!hasBrowser && age(call) > limits.browser_join_timeout_s * 1000) await fail(call, 'browser_never_joined');
  }

  async function answered(call: Session, people: number, { isMissing, isSampled }: Observed): Promise<void> {
    const waited = clock.now().getTime() - (call.started_at?.getTime() ?? 0);
    const isLate = call.agent_joined_at === null && waited > limits.agent_join_timeout_s * 1000;
    // Participants whose media server has died stay listed, even if an agent has joined the room on another server.
    const isLost = people === 0 && isMissing(call, UNCOUNTED_MS);
    // The count of people is only a hint: it is some seconds old.
    if (!isLate && !isSampled && people >= (call.transfer_type === 'WARM' ? 2 : 1)) return;
    await settle.settle(call, undefined, () => isLate || isMissing(call));
    if (!isLate && !isLost) return;
    const { status, agent_joined_at } = await sessions.get(call.id, null);
    if (status !== 'ACTIVE') return;
    if (isLate && agent_joined_at === null) await neverJoined(call);
    else if (isLost) await fail(call, 'media_lost');
  }

  /** Ending the call is better than leaving the caller in silence. */
  async function neverJoined(call: Session): Promise<void> {
    log.error({ session_id: call.id }, 'no agent worker joined a call');
    await fail(call, 'agent_never_joined');
  }

  async function fail(call: Session, end_reason: string): Promise<void> {
    const failed = { kind: 'failed', at: clock.now(), end_reason, sip_status_code: null } as const;
    await sessions.apply(call.id, failed);
  }

  function age(call: Session): number {
    return clock.now().getTime() - call.created_at.getTime();
  }

  return reconcileCall;
}
