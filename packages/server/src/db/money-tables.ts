import type { ColumnType, Generated } from 'kysely';

/** `numeric`: text on the way in and out, never a float. */
type Numeric = string;
type UsageEventType =
  | 'stt_minutes'
  | 'llm_tokens'
  | 'tts_characters'
  | 'telephony_minutes'
  | 'media_minutes'
  | 'llm_input_tokens'
  | 'llm_output_tokens'
  | 'llm_cached_tokens';

/** The ledger and the tables derived from it. */
export interface MoneyTables {
  usage_events: {
    id: string;
    session_id: string;
    user_id: string;
    agent_id: string | null;
    provider: string;
    event_type: UsageEventType;
    quantity: Numeric;
    unit_cost: Numeric;
    total_cost: Numeric;
    created_at: Date;
    model: string | null;
    /** The call's direction, on the minutes of its line; null for everything else. */
    direction: 'INBOUND' | 'OUTBOUND' | 'WEB' | null;
    /** Logged without a price: costs 0 until an adjusting entry prices it. */
    is_unpriced: Generated<boolean>;
    /** The event that this entry prices or corrects. */
    adjusts: string | null;
    /** `YYYY-MM-DD` (UTC) of the adjusted event, on which the entry counts; null: the day of `created_at`. */
    used_on: ColumnType<never, string | null | undefined, never>;
    /** Whether the entry adds the price that the adjusted event was logged without. */
    is_pricing: Generated<boolean>;
    /** The version of the agent in the event's session, as the statement that writes it finds it. */
    agent_version: ColumnType<number | null, never, never>;
  };
  prices: {
    id: string;
    provider: string;
    event_type: UsageEventType;
    /** '' applies to all models. */
    model: string;
    /** Leading digits of E.164 numbers; '' applies to all destinations. */
    prefix: string;
    /** '' applies to all directions. */
    direction: 'INBOUND' | 'OUTBOUND' | 'WEB' | '';
    /** Null withdraws the price of this key from `valid_from` on. */
    price: Numeric | null;
    billing_increment: '60/60' | '30/6' | '6/6' | '1/1' | null;
    /** `YYYY-MM-DD`, UTC. */
    valid_from: string;
    recorded_at: Date;
    superseded_at: Generated<Date | null>;
  };
  price_book: { version: number };
  usage_rollups: {
    user_id: string;
    day: string;
    /** '' for events without an agent. */
    agent_id: string;
    provider: string;
    event_type: UsageEventType;
    /** '' for events without a model. */
    model: string;
    /** '' for events without a direction. */
    direction: string;
    /** The day on which the events were logged; differs from `day` for adjusting entries. */
    recorded_on: string;
    /** 0 for events without a version of their agent. */
    agent_version: Generated<number>;
    quantity: Numeric;
    total_cost: Numeric;
    events: number;
    /** Events without a price, minus those priced since by an adjusting entry. */
    unpriced: number;
  };
  carrier_records: {
    carrier_call_sid: string;
    event_id: string;
    session_id: string;
    booked: Numeric;
    billed: Numeric;
    started_at: Date;
    duration_s: number;
    imported_at: Date;
  };
  usage_agent_sessions: { user_id: string; agent_id: string; session_id: string };
  usage_agent_session_counts: { user_id: string; agent_id: string; sessions: number };
  budgets: {
    user_id: string;
    /** Null: unlimited. */
    monthly_limit: Numeric | null;
    /** Percentages of the limit. */
    thresholds: number[];
    refuse_calls: boolean;
    end_calls: boolean;
    /** Whether the usage of test runs counts. */
    count_tests: boolean;
    /** Reserved for each minute of an open call; null: the mean cost of the newest calls. */
    cost_per_minute: Numeric | null;
    /** Null: the maximum duration of the call. */
    expected_minutes: number | null;
    updated_at: Date;
  };
  budget_thresholds: { user_id: string; month: string; percent: number; reached_at: Date };
}
