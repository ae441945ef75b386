import type { CallbackData, Campaign, FailedOver, LedgerEvent, Transcript, Turn } from './generated/schema.ts';

/** Fields of callbacks that events of a call have not. */
type NotInEvents = 'transfer' | 'answered_by' | 'disposition' | 'caller_number' | 'agent_version';

/** An event of a call: a status change with its time, a transcript, or a model that took over. */
export type CallEvent =
  | { id: number; event: 'call'; data: Omit<CallbackData, NotInEvents | 'agent_id'> & { at: string } }
  | { id: number; event: 'transcript'; data: Transcript }
  | { id: number; event: 'provider.failed_over'; data: ModelFailedOver };

/** A model took over from one that failed, in a call. */
export type ModelFailedOver = FailedOver & { session_id: string; at: string };

/** A call after a change, with its owner. */
export type ChangedCall = Omit<CallbackData, NotInEvents> & {
  user_id: string;
  from_number: string | null;
  to_number: string | null;
  created_at: string;
  at: string;
};

/** A usage event; with `include: 'total_cost'` also the call's cost so far for its user. */
export type UsedEvent = Omit<LedgerEvent, 'created_at'> & { at: string; call_total_cost?: string };

/** A delivery attempt of a callback; `status` is the callback's current one. */
export interface DeliveryAttempt {
  id: string;
  /** Null if the callback is not about a call. */
  session_id: string | null;
  user_id: string;
  callback_id: string;
  endpoint_id: string | null;
  type: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  latency_ms: number;
  response_status: number | null;
  error: string | null;
  at: string;
}

/** A campaign after changes, as it was when the event was read (`at`). Changes that come together are one event. */
export type ChangedCampaign = Pick<Campaign, 'state' | 'blocked' | 'spent' | 'recipients'> & {
  campaign_id: string;
  user_id: string;
  /** It is not in any list any more. */
  is_deleted: boolean;
  at: string;
};

/**
 * An event of any call or campaign of a user. `reset` means that events may have been missed: read the lists again.
 * Ids are opaque.
 */
export type UserEvent =
  | { id: string; event: 'call'; data: ChangedCall }
  | { id: string; event: 'transcript'; data: Transcript }
  | { id: string; event: 'provider.failed_over'; data: ModelFailedOver }
  | { id: string; event: 'turn'; data: Turn & { at: string } }
  | { id: string; event: 'cost'; data: UsedEvent }
  | { id: string; event: 'delivery'; data: DeliveryAttempt }
  | { id: string; event: 'campaign'; data: ChangedCampaign }
  | { id: string; event: 'reset'; data: Record<string, never> };
