import type { TrunkAttempt } from '../db/trunk-columns.ts';
import type { SipHeaders } from '../lib/sip-headers.ts';
import type { TrunkGroups } from './trunks.ts';

/** The port of the telephone network: phones that are dialled into rooms, and phones that call in. */
export interface Phones {
  /** The trunks that phones can be dialled over. */
  readonly trunks: TrunkGroups;
  /**
   * Dials a phone into the room, creating the room if necessary. Resolves once the phone is answered or the attempt
   * has failed. `canceled` hangs up in any phase.
   */
  dial(call: DialRequest, canceled?: AbortSignal): Promise<DialOutcome>;
  /** Transfers an answered phone to another number (SIP REFER); after a success it leaves the room by itself. */
  refer(room_name: string, identity: string, phone_number: string): Promise<ReferOutcome>;
  /** Accepts inbound calls to exactly these numbers. */
  setInboundNumbers(phone_numbers: string[]): Promise<void>;
  /** Whether a room of this name was opened by an inbound call. */
  isInboundRoom(room_name: string): boolean;
}

export interface DialRequest {
  room_name: string;
  /** The participant's identity, unique in the room. */
  identity: string;
  phone_number: string;
  /** The id of the trunk; the first one if absent. */
  trunk?: string;
  /** The caller id; the trunk's number if absent. */
  from_number?: string | null;
  /** Whether the room hears that it rings. */
  ring_tone?: boolean;
  /** Attributes of its participant, which everybody in the room can read. */
  attributes?: Record<string, string>;
  ringing_timeout_s: number;
  /** Seconds after the answer at which the provider hangs up by itself. */
  max_duration_s: number;
  /** Headers to add to the SIP request. */
  headers?: SipHeaders | null | undefined;
}

/**
 * The outcome of dialling. Busy and no answer are outcomes, not errors; an unreachable provider throws
 * `ProviderError`. `hung_up`: as soon as it had answered.
 */
export type DialOutcome = (
  | { answered: true; hung_up?: true }
  | (Refusal & { answered: false; no_answer: boolean; by_trunk?: TrunkRefusal })
) & {
  /** The trunks that were tried, in order. */
  trunks?: TrunkAttempt[];
};

/**
 * A refusal of the trunk itself, and not of the person called or of its network. `unsent`: nothing was sent, so that no
 * phone can have rung. `refused`: no phone has rung if its participant has left without having shown that it rings.
 */
export type TrunkRefusal = 'unsent' | 'refused';

export type ReferOutcome = { accepted: true } | (Refusal & { accepted: false });

interface Refusal {
  end_reason: string;
  /** The far end's SIP status, if there was one. */
  sip_status_code: number | null;
}
