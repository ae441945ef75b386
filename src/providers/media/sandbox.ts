import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import {
  type DialOutcome,
  type DialRequest,
  INBOUND_ROOM_PREFIX,
  type Media,
  type Participant,
  type ReferOutcome,
} from './media.ts';
import { type PhoneBehaviour, phoneBehaviour } from './sandbox-phones.ts';
import { parseWebhookEvent } from './webhook-event.ts';

interface Seat extends Participant {
  left: AbortController;
}

interface Room {
  name: string;
  seats: Map<string, Seat>;
}

/** What a test can do beside: a phone of the simulated network calls one of our numbers. */
export interface SandboxMedia extends Media {
  /** The room the call opened, or null when the number takes no calls. */
  callIn(called: string, caller: string): string | null;
}

/** A simulated phone network in this process: rooms, phones that ring, and the webhooks a real provider would send. */
export function createSandboxMedia({ clock, ringMs }: { clock: Clock; ringMs: number }): SandboxMedia {
  let inboundNumbers: readonly string[] = [];
  const rooms = new Map<string, Room>();
  let deliver: (body: string) => Promise<void> = async () => {};

  function emit(event: string, room: Room, seat?: Seat, disconnectReason?: string): void {
    const { identity, kind, attributes } = seat ?? {};
    const participant = seat && { sid: `PA_${identity}`, identity, kind, attributes, disconnectReason };
    const createdAt = String(Math.floor(clock.now().getTime() / 1000));
    const body = {
      event,
      id: `EV_${randomUUID()}`,
      createdAt,
      room: { sid: `RM_${room.name}`, name: room.name },
      participant,
    };
    // A webhook that is not taken is lost, as a real one may be; the reconciler makes up for it.
    deliver(JSON.stringify(body)).catch(() => {});
  }

  function openRoom(name: string): Room {
    const existing = rooms.get(name);
    if (existing) return existing;
    const room: Room = { name, seats: new Map() };
    rooms.set(name, room);
    emit('room_started', room);
    return room;
  }

  function join(room: Room, identity: string, kind: Seat['kind'], attributes: Record<string, string>): Seat {
    const seat = { identity, kind, attributes, left: new AbortController() };
    room.seats.set(identity, seat);
    emit('participant_joined', room, seat);
    return seat;
  }

  function leave(room: Room, seat: Seat, disconnectReason: string): void {
    if (!room.seats.delete(seat.identity)) return;
    seat.attributes['sip.callStatus'] = 'hangup';
    emit('participant_left', room, seat, disconnectReason);
    seat.left.abort();
  }

  async function ring(seat: Seat, phone: PhoneBehaviour, timeoutMs: number): Promise<DialOutcome> {
    const ringsMs = phone.rings_out ? ringMs * 10 : ringMs;
    seat.attributes['sip.callStatus'] = 'ringing';
    try {
      await clock.sleep(Math.min(ringsMs, timeoutMs), seat.left.signal);
    } catch {
      return { answered: false, no_answer: false, end_reason: 'canceled', sip_status_code: 487 };
    }
    if (phone.rings_out || ringsMs > timeoutMs)
      return { answered: false, no_answer: true, end_reason: 'no_answer', sip_status_code: null };
    return phone.refusal ? { answered: false, no_answer: false, ...phone.refusal } : { answered: true };
  }

  // Not awaited: the phone lives on behind the answered call. Leaving the room ends the wait.
  function hangUpLater(room: Room, seat: Seat, ms: number): void {
    clock.sleep(ms, seat.left.signal).then(
      () => leave(room, seat, 'CLIENT_INITIATED'),
      () => {},
    );
  }

  async function dial(call: DialRequest): Promise<DialOutcome> {
    const room = openRoom(call.room_name);
    const phone = phoneBehaviour(call.phone_number);
    const seat = join(room, call.identity, 'SIP', {
      'sip.callStatus': 'dialing',
      'sip.phoneNumber': call.phone_number,
    });
    const outcome = await ring(seat, phone, call.ringing_timeout_s * 1000);
    if (!outcome.answered) {
      leave(room, seat, outcome.no_answer ? 'USER_UNAVAILABLE' : 'USER_REJECTED');
      return outcome;
    }
    seat.attributes['sip.callStatus'] = 'active';
    hangUpLater(room, seat, Math.min(phone.hangs_up_after_ms ?? Number.POSITIVE_INFINITY, call.max_duration_s * 1000));
    return outcome;
  }

  async function refer(room_name: string, identity: string, phone_number: string): Promise<ReferOutcome> {
    const room = rooms.get(room_name);
    const seat = room?.seats.get(identity);
    if (!room || !seat) return { accepted: false, end_reason: 'media_lost', sip_status_code: null };
    const outcome = await ring(seat, phoneBehaviour(phone_number), ringMs * 10);
    if (!outcome.answered)
      return { accepted: false, end_reason: outcome.end_reason, sip_status_code: outcome.sip_status_code };
    leave(room, seat, 'CLIENT_INITIATED');
    return { accepted: true };
  }

  async function closeRoom(name: string): Promise<void> {
    const room = rooms.get(name);
    if (!room) return;
    rooms.delete(name);
    for (const seat of [...room.seats.values()]) leave(room, seat, 'ROOM_DELETED');
    emit('room_finished', room);
  }

  return {
    name: 'sandbox',
    simulated: true,
    description: 'sandbox phone network (no real phone rings)',
    createRoom: async ({ room_name }) => {
      join(openRoom(room_name), 'agent', 'AGENT', {});
    },
    dispatchAgent: async (room_name) => {
      const room = openRoom(room_name);
      const agent = join(room, 'agent', 'AGENT', {});
      // The event of a track tells whose it is, and nothing more of them.
      emit('track_published', room, { ...agent, kind: 'STANDARD', attributes: {} });
    },
    setInboundNumbers: async (phone_numbers) => {
      inboundNumbers = phone_numbers;
    },
    callIn: (called, caller) => {
      if (!inboundNumbers.includes(called)) return null;
      const room = openRoom(`${INBOUND_ROOM_PREFIX}${randomUUID()}`);
      const attributes = { 'sip.callStatus': 'active', 'sip.phoneNumber': caller, 'sip.trunkPhoneNumber': called };
      join(room, `sip_${caller}`, 'SIP', attributes);
      return room.name;
    },
    dial,
    refer,
    closeRoom,
    removeParticipant: async (room_name, identity) => {
      const room = rooms.get(room_name);
      const seat = room?.seats.get(identity);
      if (room && seat) leave(room, seat, 'PARTICIPANT_REMOVED');
    },
    listParticipants: async (room_name) =>
      [...(rooms.get(room_name)?.seats.values() ?? [])].map(({ identity, kind, attributes }) => ({
        identity,
        kind,
        attributes: { ...attributes },
      })),
    listRooms: async () => new Map(Array.from(rooms.values(), (room) => [room.name, { people: people(room) }])),
    createToken: async (room_name, identity) => ({
      token: `sandbox.${Buffer.from(`${room_name} ${identity}`).toString('base64url')}`,
      url: 'wss://sandbox.invalid',
    }),
    parseEvent: parseWebhookEvent,
    readEvent: async (body) => parseWebhookEvent(body),
    subscribe: (handler) => {
      deliver = handler;
    },
    ping: async () => {},
    close: async () => {
      deliver = async () => {};
      for (const room of rooms.values()) for (const seat of room.seats.values()) seat.left.abort();
      rooms.clear();
    },
  };
}

function people(room: Room): number {
  return [...room.seats.values()].filter(({ kind }) => kind === 'SIP' || kind === 'STANDARD').length;
}
