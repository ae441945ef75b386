import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import type { JsonObject } from '../lib/json.ts';
import type { AccessTables } from './access-tables.ts';
import type { AgentTables } from './agent-tables.ts';
import type { AnalysisTables } from './analysis-tables.ts';
import type { CallbackTables } from './callback-tables.ts';
import type { ChatTables } from './chat-tables.ts';
import type { EvidenceTables } from './evidence-tables.ts';
import type { MoneyTables } from './money-tables.ts';
import type { PolicyTables } from './policy-tables.ts';
import type { PrivacyColumns, PrivacyTables } from './privacy-tables.ts';
import type { RecordingTables } from './recording-tables.ts';
import type { ScheduleTables } from './schedule-tables.ts';
import type { SipColumns } from './sip-tables.ts';
import type { TestTables } from './test-tables.ts';
import type { TransferTables, TransferType } from './transfer-tables.ts';
import type { TrunkColumns } from './trunk-columns.ts';

export type { TransferType };

/** The pool, or an open transaction: the first argument of every store function. */
export type Db = Kysely<Tables> | Transaction<Tables>;

/** `jsonb`: written as text, because a driver would take an array for a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>;
/** A model took over from one that failed, each named as `provider/model`. */
export interface FailedOver {
  kind: 'stt' | 'llm' | 'tts' | 'realtime';
  from: string;
  to: string;
  reason: 'error' | 'timeout' | 'rate_limit';
}
type NullableJson<T> = ColumnType<T | null, string | null, string | null>;
export type SessionStatus = 'CREATED' | 'ACTIVE' | 'COMPLETED' | 'FAILED';
export type CallStatus = 'RINGING' | 'ANSWERED' | 'COMPLETED' | 'FAILED' | 'NO_ANSWER';
export type CallDirection = 'INBOUND' | 'OUTBOUND';
type AnsweredBy = 'human' | 'voicemail' | 'ivr' | 'screening' | 'unavailable' | 'ai' | 'unknown';
/** Values for an agent's texts, by name. */
export type CallVariables = Record<string, string | number | boolean>;
type Speaker = 'USER' | 'AGENT' | 'SYSTEM';

export interface Tables
  extends MoneyTables,
    AccessTables,
    AgentTables,
    TransferTables,
    AnalysisTables,
    CallbackTables,
    ChatTables,
    TestTables,
    RecordingTables,
    PolicyTables,
    ScheduleTables,
    EvidenceTables,
    PrivacyTables {
  sessions: PrivacyColumns &
    SipColumns &
    TrunkColumns & {
      id: string;
      room_name: string;
      user_id: string;
      agent_id: string | null;
      /** The version of its agent; null if it has none, or was made by an earlier release. */
      agent_version: Generated<number | null>;
      status: SessionStatus;
      started_at: Date | null;
      ended_at: Date | null;
      /** Seconds, with millisecond precision. */
      duration: number | null;
      session_data: Json<JsonObject>;
      /** Bytes of `session_data` as text, written along with it so that lists need not read the data. */
      session_data_bytes: Generated<number>;
      call_direction: CallDirection | null;
      call_status: CallStatus | null;
      outbound_phone_number: string | null;
      caller_number: string | null;
      /** Caller of an inbound call, as the carrier sent it. */
      caller_id: Generated<string | null>;
      callback_url: string | null;
      /** Given with a call and passed on to its worker; null if absent. */
      variables: NullableJson<CallVariables>;
      metadata: NullableJson<JsonObject>;
      /** Outbound: the caller id shown to the callee (null: the trunk's). Inbound: the number called. */
      our_number: string | null;
      /** Per-call choices; null where the settings, or the agent's configuration, apply. */
      ringing_timeout_s: number | null;
      max_duration_s: number | null;
      record: Generated<boolean | null>;
      agent_joined_at: Date | null;
      /** When the worker was dispatched into a browser's room; null for phone calls. */
      dispatched_at: Date | null;
      /** When the room of a conversation was first seen; null for calls. */
      room_seen_at: Date | null;
      end_reason: string | null;
      sip_status_code: number | null;
      transferred_to: string | null;
      transfer_type: TransferType | null;
      transfer_timestamp: Date | null;
      answered_by: AnsweredBy | null;
      disposition: string | null;
      erased_at: Date | null;
      /** The number of the newest entry of its timeline or transcript, incremented under the row's lock. */
      last_event: Generated<number>;
      created_at: Date;
      updated_at: Date;
    };
  session_events: {
    id: string;
    session_id: string;
    seq: number;
    status: SessionStatus;
    call_status: CallStatus | null;
    created_at: Date;
    /** Set in an entry about a model that took over, in which the state stays. */
    failed_over: NullableJson<FailedOver>;
  };
  provider_checks: {
    id: string;
    asked: Json<JsonObject>;
    claimed_at: Generated<Date | null>;
    result: ColumnType<JsonObject | null, string | undefined, string>;
  };
  transcripts: {
    id: string;
    session_id: string;
    seq: number;
    speaker: Speaker;
    content: string;
    timestamp: Date;
    /** When its sound begins. */
    started_at: Generated<Date | null>;
  };
  turns: {
    id: string;
    session_id: string;
    turn_index: number;
    model: string | null;
    end_of_speech_at: Date;
    transcript_ms: number | null;
    first_token_ms: number | null;
    first_audio_ms: number | null;
    interrupted_after_ms: number | null;
    created_at: Date;
  };
  tool_calls: {
    id: string;
    session_id: string;
    call_id: string;
    name: string;
    /** JSON of the arguments and the result. */
    content: string;
    is_error: boolean;
    called_at: Date;
  };
  turn_rollups: {
    user_id: string;
    day: string;
    /** '' for sessions without an agent. */
    agent_id: string;
    /** '' for turns without a model. */
    model: string;
    metric: 'transcript' | 'first_token' | 'first_audio';
    bucket: number;
    /** 0 for turns without a version of their agent. */
    agent_version: Generated<number>;
    turns: number;
    total_ms: number;
  };
  call_rollups: {
    user_id: string;
    day: string;
    /** '' for calls without an agent. */
    agent_id: string;
    direction: CallDirection | 'WEB';
    /** '' for calls without an end reason. */
    end_reason: string;
    /** '' for calls without a reported outcome. */
    answered_by: string;
    metric: 'ring' | 'talk';
    bucket: number;
    /** 0 for calls without a version of their agent. */
    agent_version: Generated<number>;
    calls: number;
    total_ms: number;
  };
  callback_secrets: {
    user_id: string;
    secret: string;
    previous_secret: string | null;
    previous_expires_at: Date | null;
    /** Earlier secrets that still sign besides the previous one, newest first. */
    earlier_secrets: ColumnType<{ secret: string; expires_at: string }[], string | undefined, string>;
    created_at: Date;
  };
  number_assignments: {
    phone_number: string;
    agent_id: string;
    carrier_sid: string;
    state: 'assigning' | 'assigned' | 'releasing';
    previous_routing: Json<JsonObject>;
    created_at: Date;
    updated_at: Date;
  };
  idempotency_keys: {
    scope: string;
    key: string;
    fingerprint: string;
    answer: Json<unknown>;
    user_id: string | null;
    created_at: Date;
  };
  audit_log: {
    id: string;
    at: Date;
    actor: string;
    user_id: string | null;
    ip: string | null;
    action: string;
    target: string;
    detail: string | null;
    actor_name: string | null;
    actor_user_id: string | null;
    outcome: Generated<'succeeded' | 'refused' | 'failed'>;
    count: Generated<number>;
    before: string | null;
    after: string | null;
    seq: number | null;
    salt: string | null;
    digest: string | null;
    hash: string | null;
  };
  /** The database's triggers add rows in the transactions that write; `bytes` is negative for what was deleted. */
  storage_changes: { user_id: string; bytes: number; written: number; at: Date };
  /** The changes that were added up. */
  /** `reported`: the threshold of the quota that was reached, 0 below the first. */
  stored_bytes: { user_id: string; bytes: number; reported: Generated<number> };
  /** One row: the user up to whom data of before the counting is counted; null once all of it is. */
  stored_bytes_progress: { after_user: string | null };
  audit_chain: { first_seq: number; first_hash: string; last_seq: number; last_hash: string };
  call_allowances: { user_id: string; tokens: number; refilled_at: Date; day: string; calls: number };
  installation: { id: Generated<string>; fingerprints_keyed_from: Generated<Date | null> };
  call_words: { session_id: string; words: string };
  call_words_progress: { seen: string; backfill: string | null };
  leases: { name: string; holder: string; expires_at: Date };
  call_workers: { id: string; max_calls: number; seen_at: Date };
  work: {
    id: string;
    kind: string;
    key: string;
    payload: Json<JsonObject>;
    due_at: Date;
    attempts: Generated<number>;
    last_error: string | null;
    leased_until: Date | null;
    lease_token: Generated<number>;
    again_at: Date | null;
    created_at: Date;
    user_id: string | null;
  };
  media_events: { id: string; body: string; room_name: string | null; received_at: Date; handled_at: Date | null };
}
