/** Prefix of the rooms of inbound phone calls. */
export const INBOUND_ROOM_PREFIX = 'inbound-';
/** The identity of a call's browser in its room. Listeners have other identities. */
export const BROWSER_IDENTITY = 'browser';

/** The port of a realtime media provider: rooms, phones dialed into them, and events. */
export interface Media {
  readonly name: 'livekit' | 'sandbox';
  /** Whether no real phone rings, so that nothing costs money. */
  readonly simulated: boolean;
  /** For the startup message. */
  readonly description: string;

  /** Creates the room and dispatches the agent's worker into it. */
  createRoom(room: RoomRequest): Promise<void>;
  /**
   * Dials a phone into the room, creating the room if necessary. Resolves once the phone is answered or the attempt
   * has failed. `canceled` hangs up in any phase.
   */
  dial(call: DialRequest, canceled?: AbortSignal): Promise<DialOutcome>;
  /** Transfers an answered phone to another number (SIP REFER); after a success it leaves the room by itself. */
  refer(room_name: string, identity: string, phone_number: string): Promise<ReferOutcome>;
  /** Hangs up on everybody in the room, even if its server has died. Succeeds if the room does not exist. */
  closeRoom(room_name: string): Promise<void>;
  /**
   * Removes a participant, or only the connection `sid`, so that a newer connection stays. Succeeds if the
   * participant has left.
   */
  removeParticipant(room_name: string, identity: string, sid?: string | null): Promise<void>;
  /** The participants of the room without listeners; empty if it does not exist. */
  listParticipants(room_name: string): Promise<Participant[]>;
  /**
   * All rooms by name, in one request, with the number of people (phones and browsers, not agents) in each, a few
   * seconds old.
   */
  listRooms(): Promise<Map<string, { people: number }>>;
  /**
   * Whether a media server hosts the room. A room whose server has died stays listed, with its participants. Throws
   * `ProviderError` if unknown.
   */
  isHosted(room_name: string): Promise<boolean>;
  /** Dispatches the agent's worker into an existing room, for example one that an inbound call has opened. */
  dispatchAgent(room: RoomRequest): Promise<void>;
  /** Whether a worker has accepted a dispatch into the room. It may have died since. */
  isAgentComing(room_name: string): Promise<boolean>;
  /**
   * Once a worker has joined the room, takes back the dispatches of all that have not: one that still joined would
   * replace it.
   */
  withdrawAgents(room_name: string): Promise<void>;
  /** Creates the room if necessary, and dispatches the agent's worker unless that was done before. */
  ensureAgent(room: RoomRequest): Promise<void>;
  /** Accepts inbound calls to exactly these numbers. */
  setInboundNumbers(phone_numbers: string[]): Promise<void>;

  /** A token that lets a browser join this room and nothing else, for `ttl_s` seconds, and the URL to connect to. */
  createToken(room_name: string, identity: string, ttl_s: number): Promise<RoomAccess>;
  /** The same for a listener, who is invisible in the room and cannot send anything. */
  createListenerToken(room_name: string, identity: string, ttl_s: number): Promise<RoomAccess>;

  /**
   * Verifies the signature of a webhook and parses its body. Throws `invalid_signature`, or `InvalidRequest` if it is
   * not an event.
   */
  readEvent(body: string, authorization: string | undefined): Promise<MediaEvent>;
  /** Parses an event that was verified before. */
  parseEvent(body: string): MediaEvent;
  /**
   * Registers the receiver for webhooks of a provider inside this process. A remote one posts them to the webhook
   * endpoint.
   */
  subscribe(deliver: (body: string) => Promise<void>): void;
  /** Throws `ProviderError` when the provider is unreachable or refuses the request. */
  ping(): Promise<void>;
  /** Releases all resources of this process. */
  close(): Promise<void>;
}

export interface RoomAccess {
  token: string;
  url: string;
}

export interface RoomRequest {
  room_name: string;
  /** JSON text, visible to everybody in the room. */
  room_metadata?: string;
  /** JSON text for the agent's worker. */
  agent_metadata: string;
  /** Seconds that the room stays open before the first person joins, if longer than the default. */
  empty_timeout_s?: number;
}

export interface DialRequest {
  room_name: string;
  /** The participant's identity, unique in the room. */
  identity: string;
  phone_number: string;
  /** The caller id; the trunk's number if absent. */
  from_number?: string | null;
  ringing_timeout_s: number;
  /** Seconds after the answer at which the provider hangs up by itself. */
  max_duration_s: number;
}

/**
 * The outcome of dialling. Busy and no answer are outcomes, not errors; an unreachable provider throws
 * `ProviderError`.
 */
export type DialOutcome = { answered: true } | (Refusal & { answered: false; no_answer: boolean });
export type ReferOutcome = { accepted: true } | (Refusal & { accepted: false });

interface Refusal {
  end_reason: string;
  /** The far end's SIP status, if there was one. */
  sip_status_code: number | null;
}

export type ParticipantKind = 'STANDARD' | 'INGRESS' | 'EGRESS' | 'SIP' | 'AGENT';

/** As reported by the bridge: `dialing` until the far end rings, `hangup` once either side has hung up. */
export type PhoneState = 'dialing' | 'ringing' | 'active' | 'hangup';

/** A telephone in a room. Numbers are E.164, or null if the bridge reports none. */
export interface Phone {
  state: PhoneState | null;
  number: string | null;
  /** Our number that was called, or that called. */
  our_number: string | null;
  /** The carrier's id of the call; null if the carrier does not send it to the bridge. */
  carrier_call_sid: string | null;
}

export interface Participant {
  /** Identifies one connection to the room; a reconnect gets another. Null if the provider does not say. */
  sid: string | null;
  identity: string;
  kind: ParticipantKind;
  joined_at: Date | null;
  /** Null unless `kind` is SIP. */
  phone: Phone | null;
  /** The name that the worker registered under; null unless `kind` is AGENT, and for workers without a name. */
  agent_name: string | null;
}

/**
 * How a connection ended: `left`, by itself; `lost`, a broken connection; `removed`, by a request to the media
 * server; `replaced`, by a newer connection of the same participant, which may still be on its way.
 */
export type Leaving = 'left' | 'lost' | 'removed' | 'replaced';

/** A webhook event, independent of the provider's wire format. */
export interface MediaEvent {
  id: string;
  /** `participant_joined`, `room_finished`, …; unknown kinds are passed through. */
  event: string;
  room_name: string | null;
  participant: (Participant & { leaving: Leaving }) | null;
}
