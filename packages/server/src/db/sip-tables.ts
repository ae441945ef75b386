import type { ColumnType, Generated, RawBuilder } from 'kysely';
import type { SipHeaders } from '../lib/sip-headers.ts';

/** Columns of sessions about the SIP dialogs of their phones. */
export interface SipColumns {
  /** The Call-ID; null if the bridge does not tell it, or has not yet. */
  sip_call_id: Generated<string | null>;
  /** The carrier's id of an inbound call; null if the media provider does not report it. */
  carrier_call_sid: Generated<string | null>;
  /** `jsonb`, written as text; null for no facts. */
  sip: ColumnType<SipFacts | null, string | null | undefined, string | null | RawBuilder<string>>;
}

/** Facts of a dialog, as far as the bridge, the worker or others have told them. */
export interface SipFacts {
  bridge_call_id?: string;
  codec?: string;
  q850_cause?: number;
  jitter_ms?: number;
  packet_loss_percent?: number;
  headers_in?: SipHeaders;
  headers_out?: SipHeaders;
}
