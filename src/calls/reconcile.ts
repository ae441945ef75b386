import { takeLease } from '../db/lease.ts';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { Media } from '../providers/media/media.ts';
import { isFinal, type Session, type Sessions } from '../sessions/sessions.ts';
import type { Calls } from './calls.ts';
import type { Dialling } from './dialling.ts';
import type { Settle } from './settle.ts';
import type { Transfers } from './transfer.ts';

/** A room or a phone may rightly be missing for a moment: before it is made, and while the event of its end is acted on. */
const GRACE_MS = 5_000;
/** Answered calls looked into a round although nothing about their room is odd: an agent may have left unheard. */
const SAMPLE = 20;

interface Deps {
  db: Db;
  clock: Clock;
  log: Logger;
  media: Media;
  sessions: Sessions;
  calls: Calls;
  transfers: Transfers;
  dialling: Dialling;
  settle: Settle;
  /** This replica's name for the lease. */
  holder: string;
  /** How long a replica that died keeps the others waiting, milliseconds; somewhat longer than the pause between two rounds. */
  leaseMs: number;
  limits: { ringing_timeout_s: number; max_duration_s: number; agent_join_timeout_s: number };
}

/**
 * Compares open calls with the media provider and settles what no event told. One replica does it at a time. It never dials.
 * All rooms are one request; only calls whose room looks odd, and a few others in turn, are looked into one by one.
 */
export function createReconciler({
  db,
  clock,
  log,
  media,
  sessions,
  calls,
  transfers,
  dialling,
  settle,
  holder,
  leaseMs,
  limits,
}: Deps) {
  /** When a call was first seen without its room, or a ringing one without its phone, by call. */
  let missing = new Map<string, number>();
  let sampled = '';

  return async function reconcile(): Promise<void> {
    if (!(await takeLease(db, 'reconcile', holder, leaseMs))) return;
    // Calls first: a call that is found has made its room by the time rooms are asked for, or is about to.
    const [open, rooms] = [await sessions.listOpenCalls(), await media.listRooms()];
    const stillMissing = new Map<string, number>();
    const isMissing = (call: Session) => {
      const since = missing.get(call.id) ?? clock.now().getTime();
      stillMissing.set(call.id, since);
      return clock.now().getTime() - since > GRACE_MS;
    };
    const sample = nextSample(open);
    for (const call of open) {
      const room = rooms.get(call.room_name);
      if (!room) await withoutRoom(call, isMissing);
      else if (isOverTime(call)) await sessions.end(call, 'max_duration');
      else if (call.call_status === 'RINGING') await ringing(call, isMissing);
      else await answered(call, room.people, sample.has(call.id));
    }
    missing = stillMissing;
    await unknownRooms(open, [...rooms.keys()]);
    await transfers.settleAbandoned();
  };

  async function withoutRoom(call: Session, isMissing: (call: Session) => boolean): Promise<void> {
    if (dialling.isUnderWay(call.id) || !isMissing(call)) return;
    log.warn({ session_id: call.id }, 'an open call has no room');
    if (call.call_status === 'ANSWERED') await sessions.end(call, 'room_ended');
    else await interrupted(call);
  }

  /** A call that rings, dialled by a process that may have died: its phone's own state tells what became of it. */
  async function ringing(call: Session, isMissing: (call: Session) => boolean): Promise<void> {
    if (dialling.isUnderWay(call.id)) return;
    if (call.call_direction === 'INBOUND') return inboundRinging(call);
    const phone = await transfers.phoneOf(call);
    if (phone?.attributes['sip.callStatus'] === 'active')
      await sessions.apply(call.id, { kind: 'answered', at: clock.now() });
    else if (phone ? age(call) > (limits.ringing_timeout_s + 15) * 1000 : isMissing(call)) await interrupted(call);
  }

  /** A caller who hears it ring: gone, still without a worker, or answered by one unheard. */
  async function inboundRinging(call: Session): Promise<void> {
    const participants = await media.listParticipants(call.room_name);
    const hasAgent = participants.some(({ kind }) => kind === 'AGENT');
    const isActive = participants.some(
      ({ kind, attributes }) => kind === 'SIP' && attributes['sip.callStatus'] === 'active',
    );
    if (hasAgent && isActive) await sessions.apply(call.id, { kind: 'answered', at: clock.now() });
    else if (!hasAgent && age(call) > limits.agent_join_timeout_s * 1000) await neverJoined(call);
    else if (!hasAgent) await calls.receive(call.room_name);
    await settle(call);
  }

  async function interrupted(call: Session): Promise<void> {
    const failed = { kind: 'failed', at: clock.now(), end_reason: 'interrupted', sip_status_code: null } as const;
    if (await sessions.apply(call.id, failed)) await sessions.closeRoom(call.room_name);
  }

  async function answered(call: Session, people: number, isSampled: boolean): Promise<void> {
    const waited = clock.now().getTime() - (call.started_at?.getTime() ?? 0);
    if (call.agent_joined_at === null && waited > limits.agent_join_timeout_s * 1000) {
      const participants = await media.listParticipants(call.room_name);
      if (participants.some(({ kind }) => kind === 'AGENT')) await sessions.markAgentJoined(call.id);
      else await neverJoined(call);
    } else if (people < (call.transfer_type === 'WARM' ? 2 : 1) || (isSampled && call.agent_joined_at !== null)) {
      await settle(call);
    }
  }

  /** Better no call than a caller in silence. */
  async function neverJoined(call: Session): Promise<void> {
    log.error({ session_id: call.id }, 'no agent worker came to a call');
    const failed = {
      kind: 'failed',
      at: clock.now(),
      end_reason: 'agent_never_joined',
      sip_status_code: null,
    } as const;
    if (await sessions.apply(call.id, failed)) await sessions.closeRoom(call.room_name);
  }

  /** Rooms that outlived their session are closed; inbound callers of whom no event told are taken in, or turned away. */
  async function unknownRooms(open: Session[], rooms: string[]): Promise<void> {
    const seen = new Set(open.map((call) => call.room_name));
    const others = rooms.filter((room) => !seen.has(room));
    // Asked after the rooms: a caller who came in between has a session by now.
    const states = await sessions.statesByRoom(others);
    for (const room of others) {
      const status = states.get(room);
      if (status !== undefined && isFinal({ status })) await sessions.closeRoom(room);
      else if (status === undefined && calls.isInboundRoom(room)) await calls.receive(room);
    }
  }

  function isOverTime(call: Session): boolean {
    return call.started_at !== null && clock.now().getTime() - call.started_at.getTime() > limits.max_duration_s * 1000;
  }

  function age(call: Session): number {
    return clock.now().getTime() - call.created_at.getTime();
  }

  function nextSample(open: Session[]): Set<string> {
    const after = open.filter((call) => call.id > sampled);
    const ids = (after.length > 0 ? after : open).slice(0, SAMPLE).map((call) => call.id);
    sampled = ids.at(-1) ?? '';
    return new Set(ids);
  }
}
