import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import type { Media } from '../../providers/media/media.ts';
import type { Inbound } from '../calls/inbound.ts';
import { isBrowser, type Settle } from '../calls/settle.ts';
import type { Dialling } from '../dialling/dialling.ts';
import { directionOf, type Session, type Sessions } from '../sessions/sessions.ts';
import { phoneOf } from '../transfers/phones.ts';

/** How long beyond its ringing time a phone is waited for that a process dials which may have died. */
const RINGING_GRACE_MS = 15_000;

/** How long nobody may be counted in a room where people are listed. The count is some seconds old. */
const UNCOUNTED_MS = 20_000;

/** Observations of one round about a call. */
interface Observed {
  /**
   * Whether it has been without its room, or without its phone, for longer than it may be; some seconds unless another
   * time is given.
   */
  isMissing(call: Session, graceMs?: number): boolean;
  /**
   * Whether it is looked into although nothing about its room is odd: in its turn, or because the round before missed
   * somebody.
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

/** Settles one open call by what the media provider shows of it. */
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
    if (dialling.isUnderWay(call.id) || !seen.isMissing(call)) return;
    log.warn({ session_id: call.id }, 'an open call has no room');
    if (call.call_status === 'ANSWERED') await sessions.end(call, 'room_ended');
    else await fail(call, 'interrupted');
  }

  /**
   * A phone that rings: its own state tells when it has been answered. The process that dials it judges all else; where
   * it is another process than this one, it may have died.
   */
  async function ringing(call: Session, seen: Observed): Promise<void> {
    const isOurs = dialling.isUnderWay(call.id);
    if (isOurs && !seen.isSampled) return;
    const ringsMs = (call.ringing_timeout_s ?? limits.ringing_timeout_s) * 1000;
    const phone = phoneOf(await media.listParticipants(call.room_name));
    if (phone?.phone?.state === 'active') await sessions.apply(call.id, { kind: 'answered', at: clock.now() });
    else if (isOurs) return;
    else if (phone ? age(call) > ringsMs + RINGING_GRACE_MS : seen.isMissing(call)) await fail(call, 'interrupted');
  }

  /** A caller who hears it ring: gone, still without a worker, or answered by one unheard. */
  async function inboundRinging(call: Session): Promise<void> {
    const participants = await media.listParticipants(call.room_name);
    const hasAgent = participants.some(({ kind }) => kind === 'AGENT');
    const isActive = participants.some(({ phone }) => phone?.state === 'active');
    if (hasAgent && isActive) await sessions.apply(call.id, { kind: 'answered', at: clock.now() });
    else if (!hasAgent && age(call) > limits.agent_join_timeout_s * 1000) await neverJoined(call);
    else if (!hasAgent) await inbound.receive(call.room_name);
    await settle.settle(call);
  }

  /** A call in a browser whose two sides have not both come, or did so unheard. */
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
    // Participants who died together with their media server stay listed, also when an agent has come to the room on
    // another server.
    const isLost = people === 0 && isMissing(call, UNCOUNTED_MS);
    // The count of people is a hint: it is some seconds old.
    if (!isLate && !isSampled && people >= (call.transfer_type === 'WARM' ? 2 : 1)) return;
    await settle.settle(call, undefined, () => isLate || isMissing(call));
    if (!isLate && !isLost) return;
    const { status, agent_joined_at } = await sessions.get(call.id, null);
    if (status !== 'ACTIVE') return;
    if (isLate && agent_joined_at === null) await neverJoined(call);
    else if (isLost) await fail(call, 'media_lost');
  }

  /** Better no call than a caller in silence. */
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
