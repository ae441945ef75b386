/** The port of a telephony carrier: the numbers an account owns, and where their calls go. */
export interface Carrier {
  readonly name: 'twilio' | 'sandbox';
  /** For the start-up line. */
  readonly description: string;
  /** The number when the account owns exactly it, else null. */
  findNumber(phone_number: string): Promise<CarrierNumber | null>;
  listNumbers(): Promise<CarrierNumber[]>;
  /** Sends the number's calls to the media provider. Doing it twice is no error. */
  attach(carrier_sid: string): Promise<void>;
  /**
   * Gives the number back the routing it had, if it still points where `attach` set it. The number stays in the
   * account. A web address that was set meanwhile, where none was before, may stay: the carrier does not have to take
   * it back.
   */
  detach(carrier_sid: string, previous: Routing): Promise<void>;
  /** The calls that began from `from` on and before `to`, and have ended, by page; in no order. */
  listCalls(from: Date, to: Date): AsyncIterable<CarrierCall[]>;
  /** Throws `ProviderError` when the carrier cannot be reached or refuses us. */
  ping(): Promise<void>;
}

/** A call as the carrier has recorded it: one line, with one phone. */
export interface CarrierCall {
  carrier_call_sid: string;
  /** The call that it is a part of; null for none. */
  parent_call_sid: string | null;
  /** E.164 where it is a phone, else as the carrier writes it. */
  from: string;
  to: string;
  /** As seen from the service; null where the carrier's word for it is unknown. */
  direction: 'INBOUND' | 'OUTBOUND' | null;
  started_at: Date;
  ended_at: Date;
  duration_s: number;
  /** A decimal, positive for what is to be paid; null: not billed yet. */
  cost: string | null;
  /** ISO 4217. */
  currency: string;
}

export interface CarrierNumber {
  phone_number: string;
  carrier_sid: string;
  /** Whether it can carry voice calls. */
  voice: boolean;
  routing: Routing;
}

/** Where the calls of a number go. Opaque outside of the adapters; remembered to be restored. */
export type Routing = {
  trunk_sid: string | null;
  voice_application_sid: string | null;
  voice_url: string | null;
  voice_method: string | null;
  voice_fallback_url: string | null;
  voice_fallback_method: string | null;
};
