import type { Generated } from 'kysely';

/** Webhook endpoints, and what is sent to them. */
export interface CallbackTables {
  webhook_endpoints: {
    id: string;
    user_id: string;
    url: string;
    host: string;
    /** Null: all events. */
    events: string[] | null;
    is_active: boolean;
    created_at: Date;
    updated_at: Date;
  };
  callbacks: {
    id: string;
    /** Null for events without a session. */
    session_id: string | null;
    /** Null for the session's own callback URL. */
    endpoint_id: string | null;
    user_id: string;
    url: string;
    type: string;
    payload: string;
    status: 'pending' | 'delivered' | 'failed';
    attempts: number;
    /** Attempts before the last redelivery. */
    earlier_attempts: Generated<number>;
    next_attempt_at: Date | null;
    delivered_at: Date | null;
    send_at: Date | null;
    host: string | null;
    /** The W3C `traceparent` of the reported change; null without tracing. */
    traceparent: string | null;
    created_at: Date;
    updated_at: Date;
  };
  callback_attempts: {
    id: string;
    callback_id: string;
    attempted_at: Date;
    latency_ms: number;
    response_status: number | null;
    error: string | null;
  };
  callback_endpoints_off: { user_id: string; url_hash: string; switched_off_at: Date };
}
