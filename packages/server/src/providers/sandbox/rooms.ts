import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { type Heard, HOLD_MUSIC, type Participant, type Phone } from '../rooms.ts';
import type { WorkedSession } from '../workers.ts';

/** The fields of a worker's job (`WorkerJob` in the API description) that the sandbox reads. */
export interface Job extends WorkedSession {
  direction: string;
  config: Record<string, unknown>;
  variables: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** The behavior of the two sides of a sandbox call. By default both join, talk and stay. */
export type Behavior = (typeof BEHAVIORS)[number];

/** `metadata.sandbox` of a call. A side that leaves or is lost does so a second after the browser has joined. */
export const BEHAVIORS = [
  'agent_never_joins',
  'agent_is_silent',
  'agent_leaves',
  'browser_never_joins',
  'browser_leaves',
  'browser_is_lost',
] as const;

/** A participant in a sandbox room. */
export interface Seat extends Participant {
  sid: string;
  joined_at: Date;
  left: AbortController;
  /** The connections of others that it does not hear; one that begins later is heard. */
  unheard: Set<string>;
  /** Whether it hears music on hold. */
  hears_music: boolean;
}

export interface Room {
  name: string;
  seats: Map<string, Seat>;
  /** Whether its server has died: the room stays listed, with its participants. */
  abandoned: boolean;
  behavior: Behavior | null;
  /** The job of the worker that has not begun to talk; null if there is none. */
  job: Job | null;
}

export type SandboxRooms = ReturnType<typeof createSandboxRooms>;

const WORKER_NAME = 'sandbox-agent';
/** Without a reason, each signal would make an exception with a stack trace. */
const LEFT = 'left';

/** Rooms in this process, and the webhooks about them that a real provider would send. */
export function createSandboxRooms(clock: Clock) {
  const rooms = new Map<string, Room>();
  let deliver: (body: string) => Promise<void> = async () => {};

  function emit(event: string, room: Room, participant?: object): void {
    const createdAt = String(Math.floor(clock.now().getTime() / 1000));
    const body = {
      event,
      id: `EV_${randomUUID()}`,
      createdAt,
      room: { sid: `RM_${room.name}`, name: room.name },
      participant,
    };
    // A webhook that is not accepted is lost, as a real one may be; the reconciler makes up for it.
    deliver(JSON.stringify(body)).catch(() => {});
  }

  /** The room of this name, created if necessary. */
  function open(name: string): Room {
    const existing = rooms.get(name);
    if (existing) return existing;
    const room: Room = { name, seats: new Map(), abandoned: false, behavior: null, job: null };
    rooms.set(name, room);
    emit('room_started', room);
    return room;
  }

  function join(room: Room, who: Pick<Seat, 'identity' | 'kind'> & { phone?: Phone }): Seat {
    const seat: Seat = {
      sid: `PA_${randomUUID()}`,
      joined_at: clock.now(),
      left: new AbortController(),
      unheard: new Set(),
      hears_music: false,
      phone: null,
      agent_name: who.kind === 'AGENT' ? WORKER_NAME : null,
      // A phone sends audio from the beginning; an agent once it speaks.
      audio_at: who.kind === 'SIP' ? clock.now() : null,
      ...who,
    };
    room.seats.set(seat.identity, seat);
    emit('participant_joined', room, toWire(seat));
    return seat;
  }

  function joinAgent(room: Room): Seat {
    const identity = room.seats.has('agent') ? `agent-${room.seats.size}` : 'agent';
    return join(room, { identity, kind: 'AGENT' });
  }

  function leave(room: Room, seat: Seat, disconnectReason: string): void {
    // A newer connection of the same participant may have replaced it.
    if (room.seats.get(seat.identity) === seat) room.seats.delete(seat.identity);
    else if (disconnectReason !== 'STATE_MISMATCH') return;
    emit('participant_left', room, { ...toWire(seat), disconnectReason });
    seat.left.abort(LEFT);
  }

  function hangUp(room: Room, seat: Seat, disconnectReason = 'CLIENT_INITIATED'): void {
    if (seat.phone) seat.phone.state = 'hangup';
    leave(room, seat, disconnectReason);
  }

  /** Returns at once: leaving the room before `ms` have passed ends the wait. */
  function hangUpLater(room: Room, seat: Seat, ms: number, disconnectReason?: string): void {
    clock.sleep(ms, seat.left.signal).then(
      () => hangUp(room, seat, disconnectReason),
      () => {},
    );
  }

  function close(name: string): void {
    const room = rooms.get(name);
    if (!room) return;
    rooms.delete(name);
    if (room.abandoned) {
      // No events are sent for its participants, and their phones are dead.
      for (const { left } of room.seats.values()) left.abort(LEFT);
      return;
    }
    for (const seat of [...room.seats.values()]) leave(room, seat, 'ROOM_DELETED');
    emit('room_finished', room);
  }

  return {
    open,
    join,
    joinAgent,
    leave,
    hangUp,
    hangUpLater,
    close,
    find: (name: string) => rooms.get(name),
    all: () => [...rooms.values()],
    /** Reports that the agent sends audio. Track events contain only the owner's identity. */
    reportTrack: (room: Room, seat: Seat) => {
      seat.audio_at = clock.now();
      emit('track_published', room, { sid: seat.sid, identity: seat.identity });
    },
    subscribe: (handler: typeof deliver) => {
      deliver = handler;
    },
    /** Ends everything, without events. */
    shutDown: () => {
      deliver = async () => {};
      for (const room of rooms.values()) for (const seat of room.seats.values()) seat.left.abort(LEFT);
      rooms.clear();
    },
  };
}

/** The identities whose sound a participant hears, and `hold-music`. */
export function heardBy(room: Room, { identity, unheard, hears_music }: Seat): string[] {
  const others = [...room.seats.values()].filter((one) => one.identity !== identity && !unheard.has(one.sid));
  return [...others.map((one) => one.identity), ...(hears_music ? [HOLD_MUSIC] : [])];
}

/** Sets the sounds that a participant hears of those that there are. */
export function setHeard({ seats }: Room, listener: Seat, heard: Heard): void {
  listener.hears_music = heard === 'music';
  const isUnheard = ({ kind }: Seat) => heard === 'music' || (heard !== 'everybody' && kind !== 'AGENT');
  listener.unheard = new Set([...seats.values()].filter(isUnheard).map(({ sid }) => sid));
}

/** A participant in the format of LiveKit's webhooks. */
function toWire({ sid, identity, kind, joined_at, phone, agent_name }: Seat): object {
  return {
    sid,
    identity,
    kind,
    joinedAtMs: String(joined_at.getTime()),
    attributes: {
      ...(agent_name && { 'lk.agent_name': agent_name }),
      ...(phone?.state && { 'sip.callStatus': phone.state }),
      ...(phone?.caller_id && { 'sip.phoneNumber': phone.caller_id }),
      ...(phone?.sip_call_id && { 'sip.callIDFull': phone.sip_call_id }),
      ...(phone?.bridge_call_id && { 'sip.callID': phone.bridge_call_id }),
      ...(phone?.our_number && { 'sip.trunkPhoneNumber': phone.our_number }),
      ...(phone?.trunk_id && { 'sip.trunkID': phone.trunk_id }),
      ...(phone?.carrier_call_sid && { 'sip.twilio.callSid': phone.carrier_call_sid }),
      ...Object.fromEntries(Object.entries(phone?.headers ?? {}).map(([name, value]) => [`sip.h.${name}`, value])),
    },
  };
}
