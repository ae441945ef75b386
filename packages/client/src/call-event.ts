import type { CallbackData, LedgerEvent, Transcript, Turn } from './generated/schema.ts';

/** An event of a call: a change of the call, as a callback has it, with its time, or a transcript. */
export type CallEvent =
  | { id: number; event: 'call'; data: Omit<CallbackData, 'transfer'> & { at: string } }
  | { id: number; event: 'transcript'; data: Transcript };

/** A call after a change, with whose it is. */
export type ChangedCall = Omit<CallbackData, 'transfer' | 'answered_by' | 'disposition' | 'caller_number'> & {
  user_id: string;
  from_number: string | null;
  to_number: string | null;
  created_at: string;
  at: string;
};

/** A usage event; with `include: 'total_cost'` also what its call has cost its user so far. */
export type UsedEvent = Omit<LedgerEvent, 'created_at'> & { at: string; call_total_cost?: string };

/** An attempt to deliver a callback; `status` is that of the callback by now. */
export interface DeliveryAttempt {
  id: string;
  /** Null for what is about no call. */
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

/**
 * An event of any call of a user. After `reset` what came before is unknown: read the lists again. Ids are opaque.
 */
export type UserEvent =
  | { id: string; event: 'call'; data: ChangedCall }
  | { id: string; event: 'transcript'; data: Transcript }
  | { id: string; event: 'turn'; data: Turn & { at: string } }
  | { id: string; event: 'cost'; data: UsedEvent }
  | { id: string; event: 'delivery'; data: DeliveryAttempt }
  | { id: string; event: 'reset'; data: Record<string, never> };
