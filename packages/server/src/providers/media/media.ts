/** How the rooms begin that phones open by calling in. */
export const INBOUND_ROOM_PREFIX = 'inbound-';
/** The identity of the browser that a call was made for, in its room. Others may listen in by other identities. */
export const BROWSER_IDENTITY = 'browser';

/** The port of a realtime media provider: rooms, phones dialled into them, and events. */
export interface Media {
  readonly name: 'livekit' | 'sandbox';
  /** Whether no real phone rings: nothing costs money then. */
  readonly simulated: boolean;
  /** For the start-up line. */
  readonly description: string;

  /** Makes the room and calls the agent's worker into it. */
  createRoom(room: RoomRequest): Promise<void>;
  /**
   * Rings a phone into the room, making the room where it is missing. Resolves once the phone is answered or the
   * attempt is over. When `canceled` fires the phone is hung up on, in whatever phase the attempt is.
   */
  dial(call: DialRequest, canceled?: AbortSignal): Promise<DialOutcome>;
  /** Refers an answered phone to another number (SIP REFER); on success it leaves the room by itself. */
  refer(room_name: string, identity: string, phone_number: string): Promise<ReferOutcome>;
  /**
   * Hangs up on everybody in the room, also where the server that hosted it has died. A room that is gone is no error.
   */
  closeRoom(room_name: string): Promise<void>;
  /**
   * Takes one participant out of the room, or only the connection `sid`: who has connected again since stays. One who
   * is gone is no error.
   */
  removeParticipant(room_name: string, identity: string, sid?: string | null): Promise<void>;
  /** The participants of the room, without those who only listen; empty when it does not exist. */
  listParticipants(room_name: string): Promise<Participant[]>;
  /**
   * All rooms by name, in one request, with how many people (phones and browsers, not agents) are in each: a few
   * seconds old.
   */
  listRooms(): Promise<Map<string, { people: number }>>;
  /**
   * Whether a media server answers for the room. A room stays listed, with everybody who was in it, after its server
   * has died. Throws `ProviderError` when that is unknown.
   */
  isHosted(room_name: string): Promise<boolean>;
  /** Calls the agent's worker into a room that is there, one that a phone has opened for instance. */
  dispatchAgent(room: RoomRequest): Promise<void>;
  /** Makes the room where it is missing, and calls the agent's worker into it unless it has been called before. */
  ensureAgent(room: RoomRequest): Promise<void>;
  /** Takes inbound calls to exactly these numbers, and turns away all others. */
  setInboundNumbers(phone_numbers: string[]): Promise<void>;

  /**
   * A token with which a browser may join this room, and do nothing else, for `ttl_s` seconds; and where to connect
   * with it.
   */
  createToken(room_name: string, identity: string, ttl_s: number): Promise<RoomAccess>;
  /** The same for somebody who only hears: nobody in the room sees the listener, who can send nothing. */
  createListenerToken(room_name: string, identity: string, ttl_s: number): Promise<RoomAccess>;

  /**
   * Checks the signature of a webhook over its body and reads it. Throws `invalid_signature`, or `InvalidRequest` when
   * it is no event.
   */
  readEvent(body: string, authorization: string | undefined): Promise<MediaEvent>;
  /** Reads an event that was taken in before. */
  parseEvent(body: string): MediaEvent;
  /**
   * Where a provider inside this process delivers its webhooks. A remote one posts them to the webhook endpoint
   * instead.
   */
  subscribe(deliver: (body: string) => Promise<void>): void;
  /** Throws `ProviderError` when the provider cannot be reached or refuses us. */
  ping(): Promise<void>;
  /** Lets go of everything held in this process. */
  close(): Promise<void>;
}

export interface RoomAccess {
  token: string;
  url: string;
}

export interface RoomRequest {
  room_name: string;
  /** Shown to everybody in the room, JSON text. */
  room_metadata?: string;
  /** Passed to the agent's worker, JSON text. */
  agent_metadata: string;
  /** Seconds that the room stays without anybody before the first person comes, where that is longer than usual. */
  empty_timeout_s?: number;
}

export interface DialRequest {
  room_name: string;
  /** The participant's identity in the room, unique there. */
  identity: string;
  phone_number: string;
  /** The number that the phone is shown; without one the trunk's. */
  from_number?: string | null;
  ringing_timeout_s: number;
  /** Seconds after the answer at which the provider hangs up by itself. */
  max_duration_s: number;
}

/**
 * How dialling ended. Busy and no answer are outcomes, not errors; a provider that cannot be reached throws
 * `ProviderError`.
 */
export type DialOutcome = { answered: true } | (Refusal & { answered: false; no_answer: boolean });
export type ReferOutcome = { accepted: true } | (Refusal & { accepted: false });

interface Refusal {
  end_reason: string;
  /** The far end's SIP status, where one came. */
  sip_status_code: number | null;
}

export type ParticipantKind = 'STANDARD' | 'INGRESS' | 'EGRESS' | 'SIP' | 'AGENT';

/** As the bridge shows it: `dialing` until the far end rings, `hangup` once either side has hung up. */
export type PhoneState = 'dialing' | 'ringing' | 'active' | 'hangup';

/** A telephone in a room. Numbers are E.164, null where the bridge gives none. */
export interface Phone {
  state: PhoneState | null;
  number: string | null;
  /** The number of ours that the call came to, or came from. */
  our_number: string | null;
  /** The carrier's id of the call; null where the carrier gives the bridge none. */
  carrier_call_sid: string | null;
}

export interface Participant {
  /** One connection to the room: whoever connects again gets another. Null where the provider does not say. */
  sid: string | null;
  identity: string;
  kind: ParticipantKind;
  joined_at: Date | null;
  /** Null unless `kind` is SIP. */
  phone: Phone | null;
  /** The name its worker registered under; null unless `kind` is AGENT, and where the worker has none. */
  agent_name: string | null;
}

/**
 * How a connection ended: `left`, by itself; `lost`, without the other side's doing; `removed`, by a request to the
 * media server; `replaced`, by another connection of the same participant, which may still be on its way.
 */
export type Leaving = 'left' | 'lost' | 'removed' | 'replaced';

/** A webhook event, without the provider's wire form. */
export interface MediaEvent {
  id: string;
  /** `participant_joined`, `room_finished`, …; unknown kinds are passed on as they are. */
  event: string;
  room_name: string | null;
  participant: (Participant & { leaving: Leaving }) | null;
}
