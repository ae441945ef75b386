import type { ColumnType } from 'kysely';

/** A trunk that a phone was dialled over, and why the call went no further there; null if it was answered. */
export interface TrunkAttempt {
  trunk: string;
  end_reason: string | null;
  sip_status_code: number | null;
}

/** Columns of sessions. */
export interface TrunkColumns {
  /** The trunks that the phone of a call was dialled over, in order; null if no outcome was recorded. */
  trunks: ColumnType<TrunkAttempt[] | null, string | null | undefined, string | null>;
}
