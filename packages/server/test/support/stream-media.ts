import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import type { Leaving, MediaEvent, MediaEventKind } from '../../src/providers/events.ts';
import type { Media } from '../../src/providers/media.ts';
import type { DialOutcome, DialRequest } from '../../src/providers/phones.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import type { Participant, Phone, Rooms } from '../../src/providers/rooms.ts';

/** The statuses of a call in the carrier's terms. */
type CarrierStatus = 'queued' | 'ringing' | 'in-progress' | 'completed' | 'canceled' | 'busy' | 'no-answer';

/** A call at the carrier. Its audio goes through one WebSocket to a worker, while it is in progress. */
interface CarrierCall {
  sid: string;
  /** The name under which the service knows the call. */
  key: string;
  identity: string;
  from: string | null;
  to: string;
  status: CarrierStatus;
  created_at: Date;
  /** The worker's end of the stream; null while there is none. */
  stream: { sid: string; opened_at: Date } | null;
  ended: AbortController;
}

/** Controls for tests. */
export interface StreamMedia extends Media {
  /** A phone calls one of our numbers; returns the name of its call, or null if the number accepts no calls. */
  callIn(called: string, caller: string): string | null;
  /** The person at the phone hangs up. */
  hangUp(key: string): void;
  /** The status of the call's phone, as the carrier sees it. */
  statusOf(key: string): CarrierStatus | undefined;
  /** Drops status events from now on. */
  loseEvents(): void;
  /** Answers no more streams: phones are answered, but no worker is there. */
  stopWorkers(): void;
}

const RING_MS = 20;
const [BUSY, RINGS_OUT] = ['+15005550001', '+15005550002'];
const NO_SIP = { sip_call_id: null, bridge_call_id: null, headers: {} };
const WORKER = 'worker';

/** Calls at the carrier, and the status callbacks about them, whose bodies are form fields. */
function createCarrierCalls(clock: Clock) {
  const calls = new Map<string, CarrierCall>();
  let [isLosing, hasWorkers] = [false, true];
  let deliver: (body: string) => Promise<void> = async () => {};

  function report(event: string, call: CarrierCall): void {
    if (isLosing) return;
    const fields = { StatusCallbackEvent: event, CallSid: call.sid, CallStatus: call.status, Key: call.key };
    const phones = { From: call.from ?? '', To: call.to, Identity: call.identity };
    const timestamp = clock.now().toISOString();
    const form = new URLSearchParams({ EventId: randomUUID(), ...fields, ...phones, Timestamp: timestamp });
    deliver(form.toString()).catch(() => {});
  }

  function begin(call: Pick<CarrierCall, 'key' | 'identity' | 'from' | 'to'>): CarrierCall {
    const begun: CarrierCall = {
      ...call,
      sid: `CA${randomUUID()}`,
      status: 'queued',
      created_at: clock.now(),
      stream: null,
      ended: new AbortController(),
    };
    calls.set(call.key, begun);
    return begun;
  }

  function connect(call: CarrierCall): void {
    call.status = 'in-progress';
    if (!hasWorkers) return;
    call.stream = { sid: `MZ${randomUUID()}`, opened_at: clock.now() };
    report('stream-connected', call);
    report('stream-started', call);
  }

  function end(call: CarrierCall | undefined, status: CarrierStatus): void {
    if (!call || call.ended.signal.aborted) return;
    call.status = status;
    call.stream = null;
    call.ended.abort();
    report('call-completed', call);
  }

  async function dial(request: DialRequest, canceled?: AbortSignal): Promise<DialOutcome> {
    const { room_name: key, identity, phone_number: to, from_number: from = null, ringing_timeout_s } = request;
    if (canceled?.aborted) return refused('canceled', 487);
    const call = begin({ key, identity, from, to });
    call.status = 'ringing';
    canceled?.addEventListener('abort', () => end(call, 'canceled'));
    const rings = to === RINGS_OUT ? ringing_timeout_s * 1000 : RING_MS;
    await clock.sleep(rings, call.ended.signal).catch(() => {});
    if (call.ended.signal.aborted) return refused('canceled', 487);
    if (to === BUSY) {
      end(call, 'busy');
      return refused('busy', 486);
    }
    if (to === RINGS_OUT) {
      end(call, 'no-answer');
      return { ...refused('no_answer', null), no_answer: true };
    }
    connect(call);
    return { answered: true };
  }

  return {
    begin,
    connect,
    end,
    dial,
    report,
    find: (key: string) => calls.get(key),
    remove: (key: string) => calls.delete(key),
    all: () => [...calls.values()],
    subscribe: (handler: typeof deliver) => {
      deliver = handler;
    },
    loseEvents: () => {
      isLosing = true;
    },
    stopWorkers: () => {
      hasWorkers = false;
    },
  };
}

/** A carrier that streams the audio of each call to a worker over a WebSocket: no rooms, and one phone a call. */
export function createStreamMedia(clock: Clock = systemClock): StreamMedia {
  const calls = createCarrierCalls(clock);
  let accepted: string[] = [];

  return {
    name: 'streams',
    simulated: true,
    description: 'media streams of a carrier',
    trunks: [],
    ...roomsOf(calls),
    createToken: notSupported,
    createListenerToken: notSupported,
    createSpeakerToken: notSupported,
    dial: calls.dial,
    refer: async (key) => {
      calls.end(calls.find(key), 'completed');
      return { accepted: true };
    },
    setInboundNumbers: async (numbers) => {
      accepted = numbers;
    },
    isInboundRoom: (key) => key.startsWith('call-in-'),
    dispatchAgent: async ({ room_name: key }) => {
      const call = calls.find(key);
      if (call?.status === 'ringing') calls.connect(call);
    },
    ensureAgent: async () => {},
    command: async (key) => (calls.find(key)?.stream ? 'accepted' : 'absent'),
    isAgentComing: async () => false,
    withdrawAgents: async () => {},
    readEvent: async (body) => parseEvent(body),
    parseEvent,
    subscribe: calls.subscribe,
    ping: async () => {},
    async *diagnose() {},
    close: async () => {
      for (const call of calls.all()) call.ended.abort();
    },
    ...controlsOf(calls, (called) => accepted.includes(called)),
  };
}

type Calls = ReturnType<typeof createCarrierCalls>;

/** The port of rooms: each call has the name that a room would have. */
function roomsOf(calls: Calls): Rooms {
  const legsIn = (key: string) => [calls.find(key) ?? []].flat().flatMap(legsOf);
  return {
    // The stream's address carries what a worker needs; there is nothing to create before the phone is dialled.
    createRoom: async () => {},
    closeRoom: async (key) => {
      calls.end(calls.find(key), calls.find(key)?.status === 'in-progress' ? 'completed' : 'canceled');
      calls.remove(key);
    },
    removeParticipant: async (key, identity, sid) => {
      const call = calls.find(key);
      const leg = call && legsOf(call).find((one) => one.identity === identity);
      if (!call || !leg || (sid ?? leg.sid) !== leg.sid) return;
      if (identity === WORKER) call.stream = null;
      else calls.end(call, call.status === 'in-progress' ? 'completed' : 'canceled');
    },
    listParticipants: async (key) => legsIn(key),
    setHearing: async () => {},
    listRooms: async () => {
      const open = calls.all().filter(({ ended }) => !ended.signal.aborted);
      return new Map(open.map(({ key }) => [key, { people: 1 }]));
    },
    isHosted: async (key) => calls.find(key) !== undefined,
    isConnected: async (key, identity) => legsIn(key).some((leg) => leg.identity === identity),
  };
}

function controlsOf(calls: Calls, accepts: (called: string) => boolean) {
  return {
    callIn: (called: string, caller: string) => {
      if (!accepts(called)) return null;
      const call = calls.begin({ key: `call-in-${randomUUID()}`, identity: 'caller', from: caller, to: called });
      call.status = 'ringing';
      calls.report('call-received', call);
      return call.key;
    },
    hangUp: (key: string) => calls.end(calls.find(key), 'completed'),
    statusOf: (key: string) => calls.find(key)?.status,
    loseEvents: calls.loseEvents,
    stopWorkers: calls.stopWorkers,
  };
}

/** The two ends of a call, in the terms of the port: its phone, and the worker that its audio is streamed to. */
function legsOf(call: CarrierCall): Participant[] {
  if (call.ended.signal.aborted) return [];
  const phone = {
    sid: call.sid,
    identity: call.identity,
    kind: 'SIP' as const,
    joined_at: call.created_at,
    phone: phoneOf(call),
    agent_name: null,
    audio_at: null,
  };
  if (!call.stream) return [phone];
  const { sid, opened_at } = call.stream;
  return [phone, { ...worker, sid, joined_at: opened_at }];
}

const worker = {
  sid: null,
  identity: WORKER,
  kind: 'AGENT',
  joined_at: null,
  phone: null,
  agent_name: WORKER,
  audio_at: null,
} as const;

const STATES: Partial<Record<CarrierStatus, Phone['state']>> = {
  queued: 'dialing',
  ringing: 'ringing',
  'in-progress': 'active',
};

type Facts = Pick<CarrierCall, 'status' | 'identity' | 'from' | 'to' | 'sid'>;

function phoneOf({ status, identity, from, to, sid }: Facts): Phone {
  const isInbound = identity === 'caller';
  return {
    state: STATES[status] ?? 'hangup',
    number: isInbound ? from : to,
    caller_id: isInbound ? from : to,
    our_number: isInbound ? to : from,
    ...NO_SIP,
    trunk_id: null,
    carrier_call_sid: sid,
  };
}

const KINDS: Record<string, MediaEventKind> = {
  'call-received': 'joined',
  'stream-connected': 'joined',
  'stream-started': 'audio_started',
  'call-completed': 'left',
};

function parseEvent(body: string): MediaEvent {
  const form = new URLSearchParams(body);
  const field = (name: string) => form.get(name) ?? '';
  const name = field('StatusCallbackEvent');
  const status = field('CallStatus') as CarrierStatus;
  const leaving: Leaving = 'left';
  const [sid, identity, from, to] = [field('CallSid'), field('Identity'), field('From') || null, field('To')];
  const phone = { sid, identity, kind: 'SIP', joined_at: null, agent_name: null, audio_at: null } as const;
  const one = name.startsWith('stream-') ? worker : { ...phone, phone: phoneOf({ status, identity, from, to, sid }) };
  return {
    id: field('EventId'),
    kind: KINDS[name] ?? 'other',
    name,
    created_at: new Date(field('Timestamp')),
    room_name: field('Key'),
    participant: { ...one, leaving },
  };
}

function refused(end_reason: string, sip_status_code: number | null) {
  return { answered: false as const, no_answer: false, end_reason, sip_status_code };
}

const notSupported = () =>
  Promise.reject(new ProviderError('provider_refused', { provider: 'streams', operation: 'token', retryable: false }));
