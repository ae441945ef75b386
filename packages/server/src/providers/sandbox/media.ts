import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { SipHeaders } from '../../lib/sip-headers.ts';
import { notChecked } from '../diagnosis.ts';
import { INBOUND_ROOM_PREFIX } from '../livekit/inbound.ts';
import { readPhone } from '../livekit/sip-attributes.ts';
import { parseWebhookEvent } from '../livekit/webhook-event.ts';
import type { Media } from '../media.ts';
import { ProviderError } from '../provider-error.ts';
import { BROWSER_IDENTITY, type Hearing, type Phone, type RoomAccess } from '../rooms.ts';
import { writing } from './chat.ts';
import { createSandboxDialling, sandboxCallId } from './dialling.ts';
import { createSandboxDispatch } from './dispatch.ts';
import { createSandboxRooms, heardBy, type Room, type Seat, setHeard } from './rooms.ts';
import { runScenario } from './scenarios.ts';
import { createSandboxWorker } from './worker.ts';

/** Controls for tests: actions of phones, the bridge and the media servers. */
export interface SandboxMedia extends Media {
  /** A phone calls one of our numbers; returns the room that it opened, or null if the number accepts no calls. */
  callIn(
    called: string,
    caller: string,
    carrier_call_sid?: string | null,
    sip_call_id?: string | null,
    headers?: SipHeaders,
  ): string | null;
  /** The person at this phone hangs up. */
  hangUp(room_name: string, identity: string): void;
  /** The bridge loses this phone's audio and drops it. */
  loseAudio(room_name: string, identity: string): void;
  /** A participant reconnects before the end of its old connection is noticed. */
  reconnect(room_name: string, identity: string): void;
  /** The identities whose sound a participant hears, and `hold-music`. */
  heardBy(room_name: string, identity: string): string[];
  /** The server of this room dies. */
  abandon(room_name: string): void;
}

interface Options {
  clock: Clock;
  ringMs: number;
  /** How long a dialled phone takes to join its room, which it creates if necessary. */
  joinMs?: number;
  /** Simulated conversations at the same time. By default there are none, and agents are silent. */
  conversations?: number;
  /** How long a simulated speaker waits before each sentence. */
  pauseMs?: number;
}

/** When a side that leaves by its behavior does so, after the browser has joined. */
const LEAVES_MS = 1000;
const PAUSE_MS = 1500;

/** A simulated phone network in this process: rooms, phones, and the webhooks that a real provider would send. */
export function createSandboxMedia(options: Options): SandboxMedia {
  const { clock, ringMs, joinMs = 0, conversations: limit = 0, pauseMs = PAUSE_MS } = options;
  let inboundNumbers: readonly string[] = [];
  const rooms = createSandboxRooms(clock);
  const worker = createSandboxWorker({ clock, pauseMs, limit });
  const dispatch = createSandboxDispatch(rooms, worker);
  const { dial, ...dialling } = createSandboxDialling({ clock, rooms, ringMs, joinMs });

  /** The browser that a token was made for joins after a moment, unless its behavior says otherwise. */
  async function joinBrowser(room_name: string): Promise<void> {
    await clock.sleep(ringMs);
    const room = rooms.find(room_name);
    if (!room || room.behavior === 'browser_never_joins' || room.seats.has(BROWSER_IDENTITY)) return;
    const seat = rooms.join(room, { identity: BROWSER_IDENTITY, kind: 'STANDARD' });
    if (room.behavior === 'browser_leaves') rooms.hangUpLater(room, seat, LEAVES_MS);
    if (room.behavior === 'browser_is_lost') rooms.hangUpLater(room, seat, LEAVES_MS, 'CONNECTION_TIMEOUT');
    const agent = room.seats.get('agent');
    if (room.behavior === 'agent_leaves' && agent) rooms.hangUpLater(room, agent, LEAVES_MS);
    worker.attend(room);
  }

  async function isHosted(room_name: string): Promise<boolean> {
    return rooms.find(room_name)?.abandoned === false;
  }

  async function isConnected(room_name: string, identity: string): Promise<boolean> {
    return (await isHosted(room_name)) && rooms.find(room_name)?.seats.has(identity) === true;
  }

  function assertHosted(operation: string, room_name: string): void {
    if (!rooms.find(room_name)?.abandoned) return;
    throw new ProviderError('provider_unavailable', { provider: 'sandbox', operation, retryable: true });
  }

  function withSeat(act: (room: Room, seat: Seat) => void) {
    return (room_name: string, identity: string): void => {
      const room = rooms.find(room_name);
      const seat = room?.seats.get(identity);
      if (room && seat) act(room, seat);
    };
  }

  return {
    name: 'sandbox',
    simulated: true,
    description: 'sandbox phone network (no real phone rings)',
    ...dispatch,
    setInboundNumbers: async (phone_numbers) => {
      inboundNumbers = phone_numbers;
    },
    isInboundRoom: (room_name) => room_name.startsWith(INBOUND_ROOM_PREFIX),
    callIn: (called, caller, carrier_call_sid = null, sip_call_id = null, headers = {}) => {
      if (!inboundNumbers.includes(called)) return null;
      const room = rooms.open(`${INBOUND_ROOM_PREFIX}${randomUUID()}`);
      const ids = { carrier_call_sid, sip_call_id, headers };
      const phone: Phone = {
        ...readPhone({ 'sip.phoneNumber': caller, 'sip.trunkPhoneNumber': called, 'sip.callID': sandboxCallId() }),
        state: 'ringing',
        ...ids,
      };
      rooms.join(room, { identity: `sip_${caller}`, kind: 'SIP', phone });
      return room.name;
    },
    hangUp: withSeat((room, seat) => rooms.hangUp(room, seat)),
    loseAudio: withSeat((room, seat) => rooms.leave(room, seat, 'CLIENT_INITIATED')),
    reconnect: withSeat((room, seat) => {
      const { identity, kind, phone } = seat;
      rooms.join(room, { identity, kind, ...(phone && { phone: { ...phone } }) });
      rooms.leave(room, seat, 'STATE_MISMATCH');
    }),
    abandon: (room_name) => {
      const room = rooms.find(room_name);
      if (room) room.abandoned = true;
    },
    isHosted,
    isConnected,
    ...dialling,
    dial: async (request, canceled) => {
      const outcome = await dial(request, canceled);
      const room = rooms.find(request.room_name);
      if (outcome.answered && room) worker.attend(room);
      return outcome;
    },
    closeRoom: async (room_name) => {
      rooms.close(room_name);
      await worker.settled(room_name);
    },
    removeParticipant: async (room_name, identity, sid) => {
      assertHosted('removeParticipant', room_name);
      const room = rooms.find(room_name);
      const seat = room?.seats.get(identity);
      if (room && seat && (sid ?? seat.sid) === seat.sid) rooms.leave(room, seat, 'PARTICIPANT_REMOVED');
    },
    listParticipants: async (room_name) => {
      assertHosted('listParticipants', room_name);
      const seats = [...(rooms.find(room_name)?.seats.values() ?? [])];
      return seats.map(({ left: _, unheard: _unheard, hears_music: _music, phone, ...seat }) => ({
        ...seat,
        phone: phone && { ...phone },
      }));
    },
    listRooms: async () => new Map(rooms.all().map((room) => [room.name, { people: people(room) }])),
    createToken: async (room_name, identity) => {
      if (identity === BROWSER_IDENTITY) void joinBrowser(room_name);
      return accessTo(room_name, identity);
    },
    ...FOR_COLLEAGUES,
    parseEvent: parseWebhookEvent,
    readEvent: async (body) => parseWebhookEvent(body),
    subscribe: rooms.subscribe,
    reportTo: worker.reportTo,
    ...createHearing(rooms.find, assertHosted),
    ...OWN_TASKS,
    ...NO_SERVER,
    close: async () => {
      rooms.shutDown();
      await worker.settled();
    },
  };
}

/** Sets and tells who hears whom. */
function createHearing(find: (room_name: string) => Room | undefined, assertHosted: (...of: [string, string]) => void) {
  return {
    setHearing: async (room_name: string, hearing: Hearing): Promise<void> => {
      assertHosted('setHearing', room_name);
      const room = find(room_name);
      for (const [identity, heard] of Object.entries(hearing)) {
        const seat = room?.seats.get(identity);
        if (room && seat) setHeard(room, seat, heard);
      }
    },
    heardBy: (room_name: string, identity: string): string[] => {
      const room = find(room_name);
      const seat = room?.seats.get(identity);
      return room && seat ? heardBy(room, seat).sort() : [];
    },
  };
}

/** There is nothing to be reached. */
const NO_SERVER = {
  ping: async () => {},
  async *diagnose() {
    yield notChecked('webhook signature', 'LIVEKIT_URL is unset: the sandbox signs nothing');
    yield notChecked('LiveKit', 'LIVEKIT_URL is unset: the service runs on the sandbox phone network');
  },
};

/** Tasks of workers that the sandbox does itself. */
const OWN_TASKS = { ...writing, runScenario };

/** Tokens with which nobody can connect. */
const FOR_COLLEAGUES: Pick<Media, 'createListenerToken' | 'createSpeakerToken'> = {
  createListenerToken: async (room_name, identity) => accessTo(room_name, identity),
  createSpeakerToken: async (room_name, identity) => accessTo(room_name, identity),
};

/** Cannot be used: there is no server. */
function accessTo(room_name: string, identity: string): RoomAccess {
  const token = `sandbox.${Buffer.from(`${room_name} ${identity}`).toString('base64url')}`;
  return { token, url: 'wss://sandbox.invalid' };
}

function people(room: Room): number {
  return [...room.seats.values()].filter(({ kind }) => kind === 'SIP' || kind === 'STANDARD').length;
}
