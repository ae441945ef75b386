import type { SipHeaders } from '../lib/sip-headers.ts';

/** The identity of a call's browser in its room. Listeners have other identities. */
export const BROWSER_IDENTITY = 'browser';
/** Prefix of the identities of people who talk in place of an agent; its worker knows them by it. */
export const COLLEAGUE_PREFIX = 'colleague-';

/**
 * The port of whatever connects the sides of a call. A room stands for one call: its name is the key, and its
 * participants are the connections. A provider without rooms keeps its connections by that name.
 */
export interface Rooms {
  /** Creates the room and dispatches the agent's worker into it. */
  createRoom(room: RoomRequest): Promise<void>;
  /** Hangs up on everybody in the room, even if its server has died. Succeeds if the room does not exist. */
  closeRoom(room_name: string): Promise<void>;
  /**
   * Removes a participant, or only the connection `sid`, so that a newer connection stays. Succeeds if the
   * participant has left.
   */
  removeParticipant(room_name: string, identity: string, sid?: string | null): Promise<void>;
  /**
   * Has participants, by identity, hear certain sounds of the room alone, from now on. Succeeds for those who have
   * left. Whoever reconnects hears everybody, and so does everybody a sound that begins later: repeat it.
   */
  setHearing(room_name: string, hearing: Hearing): Promise<void>;
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
  /**
   * Whether a media server has this participant's connection: one whose server has died stays listed. May take seconds.
   * Throws `ProviderError` if unknown.
   */
  isConnected(room_name: string, identity: string): Promise<boolean>;
}

/** The name of the agent's second sound, the music for a caller who waits. Nobody else hears it. */
export const HOLD_MUSIC = 'hold-music';

/** `everybody` but for the music, `ours` (the agent, a colleague in its place), the `agent`, or the `music` alone. */
export type Heard = 'everybody' | 'ours' | 'agent' | 'music';
export type Hearing = Record<string, Heard>;

/** The port that lets browsers join rooms. */
export interface Browsers {
  /** A token that lets a browser join this room and nothing else, for `ttl_s` seconds, and the URL to connect to. */
  createToken(room_name: string, identity: string, ttl_s: number): Promise<RoomAccess>;
  /** The same for a listener, who is invisible in the room and cannot send anything. */
  createListenerToken(room_name: string, identity: string, ttl_s: number): Promise<RoomAccess>;
  /** The same for somebody who is seen and heard in the room, by a microphone, and cannot send anything else. */
  createSpeakerToken(room_name: string, identity: string, ttl_s: number): Promise<RoomAccess>;
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

export type ParticipantKind = 'STANDARD' | 'INGRESS' | 'EGRESS' | 'SIP' | 'AGENT';

/** As reported by the bridge: `dialing` until the far end rings, `hangup` once either side has hung up. */
export type PhoneState = 'dialing' | 'ringing' | 'active' | 'hangup';

/** A telephone in a room. Numbers are E.164, or null if the bridge reports none. */
export interface Phone {
  state: PhoneState | null;
  number: string | null;
  /** The number or name of the other party as the carrier sent it; null if it sent none. */
  caller_id: string | null;
  /** The Call-ID of the SIP dialog; null if the bridge does not report it. */
  sip_call_id: string | null;
  /** The bridge's own id of the call, by which its log names it; null if there is none. */
  bridge_call_id: string | null;
  /** Our number that was called, or that called. */
  our_number: string | null;
  /** The trunk; null if the bridge does not report it. */
  trunk_id: string | null;
  /** The carrier's id of the call; null if the carrier does not send it to the bridge. */
  carrier_call_sid: string | null;
  /** Headers of its SIP request that the bridge passes on, by their names in lower case, as they were sent. */
  headers: SipHeaders;
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
  /** Since when it sends sound into the room; null if it sends none. Participants in events have none. */
  audio_at: Date | null;
}
