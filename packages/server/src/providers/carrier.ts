import type { Finding } from './diagnosis.ts';

/** The port of a telephony carrier: the numbers of an account, and the routing of their calls. */
export interface Carrier {
  readonly name: 'twilio' | 'sandbox';
  /** For the startup message. */
  readonly description: string;
  /** The number if the account owns exactly it, otherwise null. */
  findNumber(phone_number: string): Promise<CarrierNumber | null>;
  listNumbers(): Promise<CarrierNumber[]>;
  /** Routes the number's calls to the media provider. Idempotent. */
  attach(carrier_sid: string): Promise<void>;
  /**
   * Restores the number's previous routing, if it still points where `attach` set it. The number stays in the
   * account. A URL that was set meanwhile, where none was before, may stay: the carrier need not be able to clear it.
   */
  detach(carrier_sid: string, previous: Routing): Promise<void>;
  /** The ended calls that began at or after `from` and before `to`, in pages and no particular order. */
  listCalls(from: Date, to: Date): AsyncIterable<CarrierCall[]>;
  /** Throws `ProviderError` when the carrier is unreachable or refuses the request. */
  ping(): Promise<void>;
  /** Checks the account for `npm run doctor`, for calls into these countries (ISO 3166-1 alpha-2). Read-only. */
  diagnose(countries: string[]): AsyncGenerator<Finding>;
}

/** A call in the carrier's records: one leg, with one phone. */
export interface CarrierCall {
  carrier_call_sid: string;
  /** The call that it belongs to; null if none. */
  parent_call_sid: string | null;
  /** E.164 for a phone, otherwise as the carrier writes it. */
  from: string;
  to: string;
  /** From the point of view of the service; null if the carrier's value is unknown. */
  direction: 'INBOUND' | 'OUTBOUND' | null;
  started_at: Date;
  ended_at: Date;
  duration_s: number;
  /** A decimal, positive for a charge; null if not billed yet. */
  cost: string | null;
  /** ISO 4217. */
  currency: string;
}

export interface CarrierNumber {
  phone_number: string;
  carrier_sid: string;
  /** Whether the number supports voice calls. */
  voice: boolean;
  routing: Routing;
}

/** The routing of a number's calls. Opaque outside the adapters; stored so that it can be restored. */
export type Routing = {
  trunk_sid: string | null;
  voice_application_sid: string | null;
  voice_url: string | null;
  voice_method: string | null;
  voice_fallback_url: string | null;
  voice_fallback_method: string | null;
};
