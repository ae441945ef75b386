import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { ProviderError } from '../provider-error.ts';
import {
  BROWSER_IDENTITY,
  type DialOutcome,
  type DialRequest,
  INBOUND_ROOM_PREFIX,
  type Media,
  type Phone,
  type ReferOutcome,
  type RoomAccess,
} from './media.ts';
import { type Behavior, behaviorOf } from './sandbox-browsers.ts';
import { type PhoneBehavior, phoneBehavior } from './sandbox-phones.ts';
import { type Seat, toWire } from './sandbox-seats.ts';
import { parseWebhookEvent } from './webhook-event.ts';

interface Room {
  name: string;
  seats: Map<string, Seat>;
  /** Whether its server has died: the room stays listed, with its participants. */
  abandoned: boolean;
  behavior: Behavior | null;
}

/** Controls for tests: actions of phones, the bridge and the media servers. */
export interface SandboxMedia extends Media {
  /** A phone calls one of our numbers; returns the room that it opened, or null if the number accepts no calls. */
  callIn(called: string, caller: string, carrier_call_sid?: string | null): string | null;
  /** The person at this phone hangs up. */
  hangUp(room_name: string, identity: string): void;
  /** The bridge loses this phone's audio and drops it. */
  loseAudio(room_name: string, identity: string): void;
  /** A participant reconnects before the end of its old connection is noticed. */
  reconnect(room_name: string, identity: string): void;
  /** The server of this room dies. */
  abandon(room_name: string): void;
}

interface Options {
  clock: Clock;
  ringMs: number;
  /** How long a dialled phone takes to join its room, which it creates if necessary. */
  joinMs?: number;
}

const WORKER_NAME = 'sandbox-agent';
/** When a side that leaves by its behavior does so, after the browser has joined. */
const LEAVES_MS = 1000;
const CANCELED: DialOutcome = { answered: false, no_answer: false, end_reason: 'canceled', sip_status_code: 487 };

/** A simulated phone network in this process: rooms, phones, and the webhooks that a real provider would send. */
export function createSandboxMedia({ clock, ringMs, joinMs = 0 }: Options): SandboxMedia {
  let inboundNumbers: readonly string[] = [];
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

  function openRoom(name: string): Room {
    const existing = rooms.get(name);
    if (existing) return existing;
    const room: Room = { name, seats: new Map(), abandoned: false, behavior: null };
    rooms.set(name, room);
    emit('room_started', room);
    return room;
  }

  function join(room: Room, who: Pick<Seat, 'identity' | 'kind'> & { phone?: Phone }): Seat {
    const seat: Seat = {
      sid: `PA_${randomUUID()}`,
      joined_at: clock.now(),
      left: new AbortController(),
      phone: null,
      agent_name: who.kind === 'AGENT' ? WORKER_NAME : null,
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
    seat.left.abort();
  }

  function hangUp(room: Room, seat: Seat, disconnectReason = 'CLIENT_INITIATED'): void {
    if (seat.phone) seat.phone.state = 'hangup';
    leave(room, seat, disconnectReason);
  }

  async function ring(seat: Seat, phone: PhoneBehavior, timeoutMs: number): Promise<DialOutcome> {
    const ringsMs = phone.rings_out ? ringMs * 10 : ringMs;
    if (seat.phone) seat.phone.state = 'ringing';
    try {
      await clock.sleep(Math.min(ringsMs, timeoutMs), seat.left.signal);
    } catch {
      return CANCELED;
    }
    if (phone.rings_out || ringsMs > timeoutMs)
      return { answered: false, no_answer: true, end_reason: 'no_answer', sip_status_code: null };
    return phone.refusal ? { answered: false, no_answer: false, ...phone.refusal } : { answered: true };
  }

  // Not awaited: the phone stays connected after `dial` has returned. Leaving the room ends the wait.
  function hangUpLater(room: Room, seat: Seat, ms: number, disconnectReason?: string): void {
    clock.sleep(ms, seat.left.signal).then(
      () => hangUp(room, seat, disconnectReason),
      () => {},
    );
  }

  /** The browser that a token was made for joins after a moment, unless its behavior says otherwise. */
  async function joinBrowser(room_name: string): Promise<void> {
    await clock.sleep(ringMs);
    const room = rooms.get(room_name);
    if (!room || room.behavior === 'browser_never_joins' || room.seats.has(BROWSER_IDENTITY)) return;
    const seat = join(room, { identity: BROWSER_IDENTITY, kind: 'STANDARD' });
    if (room.behavior === 'browser_leaves') hangUpLater(room, seat, LEAVES_MS);
    if (room.behavior === 'browser_is_lost') hangUpLater(room, seat, LEAVES_MS, 'CONNECTION_TIMEOUT');
    const agent = room.seats.get('agent');
    if (room.behavior === 'agent_leaves' && agent) hangUpLater(room, agent, LEAVES_MS);
  }

  async function dial(call: DialRequest, canceled?: AbortSignal): Promise<DialOutcome> {
    if (joinMs > 0) await clock.sleep(joinMs);
    if (canceled?.aborted) return CANCELED;
    const room = openRoom(call.room_name);
    const behavior = phoneBehavior(call.phone_number);
    const { phone_number: number, from_number: our_number = null } = call;
    const phone: Phone = { state: 'dialing', number, our_number, carrier_call_sid: null };
    const seat = join(room, { identity: call.identity, kind: 'SIP', phone });
    const cancel = () => leave(room, seat, 'PARTICIPANT_REMOVED');
    canceled?.addEventListener('abort', cancel);
    const outcome = await ring(seat, behavior, call.ringing_timeout_s * 1000);
    canceled?.removeEventListener('abort', cancel);
    if (!outcome.answered) {
      hangUp(room, seat, outcome.no_answer ? 'USER_UNAVAILABLE' : 'USER_REJECTED');
      return outcome;
    }
    phone.state = 'active';
    const talksMs = behavior.hangs_up_after_ms ?? Number.POSITIVE_INFINITY;
    hangUpLater(room, seat, Math.min(talksMs, call.max_duration_s * 1000));
    return outcome;
  }

  async function isHosted(room_name: string): Promise<boolean> {
    return rooms.get(room_name)?.abandoned === false;
  }

  function assertHosted(operation: string, room_name: string): void {
    if (!rooms.get(room_name)?.abandoned) return;
    throw new ProviderError('provider_unavailable', { provider: 'sandbox', operation, retryable: true });
  }

  async function refer(room_name: string, identity: string, phone_number: string): Promise<ReferOutcome> {
    const room = rooms.get(room_name);
    const seat = room?.seats.get(identity);
    if (!room || !seat) return { accepted: false, end_reason: 'media_lost', sip_status_code: null };
    const outcome = await ring(seat, phoneBehavior(phone_number), ringMs * 10);
    if (!outcome.answered)
      return { accepted: false, end_reason: outcome.end_reason, sip_status_code: outcome.sip_status_code };
    hangUp(room, seat);
    return { accepted: true };
  }

  function withSeat(act: (room: Room, seat: Seat) => void) {
    return (room_name: string, identity: string): void => {
      const room = rooms.get(room_name);
      const seat = room?.seats.get(identity);
      if (room && seat) act(room, seat);
    };
  }

  async function closeRoom(name: string): Promise<void> {
    const room = rooms.get(name);
    if (!room) return;
    rooms.delete(name);
    if (room.abandoned) {
      // No events are sent for its participants, and their phones are dead.
      for (const { left } of room.seats.values()) left.abort();
      return;
    }
    for (const seat of [...room.seats.values()]) leave(room, seat, 'ROOM_DELETED');
    emit('room_finished', room);
  }

  return {
    name: 'sandbox',
    simulated: true,
    description: 'sandbox phone network (no real phone rings)',
    createRoom: async ({ room_name, agent_metadata }) => {
      const room = openRoom(room_name);
      room.behavior = behaviorOf(agent_metadata);
      if (room.behavior !== 'agent_never_joins') joinAgent(room);
    },
    ensureAgent: async ({ room_name }) => {
      const room = openRoom(room_name);
      if (![...room.seats.values()].some(({ kind }) => kind === 'AGENT')) joinAgent(room);
    },
    dispatchAgent: async ({ room_name }) => {
      const room = openRoom(room_name);
      const { sid, identity } = joinAgent(room);
      // Track events contain only the owner's identity.
      emit('track_published', room, { sid, identity });
      // The bridge answers now, because there is audio.
      for (const { phone } of room.seats.values()) if (phone) phone.state = 'active';
    },
    setInboundNumbers: async (phone_numbers) => {
      inboundNumbers = phone_numbers;
    },
    callIn: (called, caller, carrier_call_sid = null) => {
      if (!inboundNumbers.includes(called)) return null;
      const room = openRoom(`${INBOUND_ROOM_PREFIX}${randomUUID()}`);
      const phone: Phone = { state: 'ringing', number: caller, our_number: called, carrier_call_sid };
      join(room, { identity: `sip_${caller}`, kind: 'SIP', phone });
      return room.name;
    },
    hangUp: withSeat((room, seat) => hangUp(room, seat)),
    loseAudio: withSeat((room, seat) => leave(room, seat, 'CLIENT_INITIATED')),
    reconnect: withSeat((room, seat) => {
      const { identity, kind, phone } = seat;
      join(room, { identity, kind, ...(phone && { phone: { ...phone } }) });
      leave(room, seat, 'STATE_MISMATCH');
    }),
    abandon: (room_name) => {
      const room = rooms.get(room_name);
      if (room) room.abandoned = true;
    },
    isHosted,
    dial,
    refer,
    closeRoom,
    removeParticipant: async (room_name, identity, sid) => {
      assertHosted('removeParticipant', room_name);
      const room = rooms.get(room_name);
      const seat = room?.seats.get(identity);
      if (room && seat && (sid ?? seat.sid) === seat.sid) leave(room, seat, 'PARTICIPANT_REMOVED');
    },
    listParticipants: async (room_name) => {
      assertHosted('listParticipants', room_name);
      const seats = [...(rooms.get(room_name)?.seats.values() ?? [])];
      return seats.map(({ left: _, phone, ...seat }) => ({ ...seat, phone: phone && { ...phone } }));
    },
    listRooms: async () => new Map(Array.from(rooms.values(), (room) => [room.name, { people: people(room) }])),
    createToken: async (room_name, identity) => {
      if (identity === BROWSER_IDENTITY) void joinBrowser(room_name);
      return accessTo(room_name, identity);
    },
    createListenerToken: async (room_name, identity) => accessTo(room_name, identity),
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

/** Cannot be used: there is no server. */
function accessTo(room_name: string, identity: string): RoomAccess {
  const token = `sandbox.${Buffer.from(`${room_name} ${identity}`).toString('base64url')}`;
  return { token, url: 'wss://sandbox.invalid' };
}

function people(room: Room): number {
  return [...room.seats.values()].filter(({ kind }) => kind === 'SIP' || kind === 'STANDARD').length;
}
