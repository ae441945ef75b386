import type { ColumnType, Generated } from 'kysely';
import type { JsonObject } from '../lib/json.ts';

/** `jsonb`: written as text, because a driver would take an array for a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>;

/** Chats, beside their sessions and transcripts. */
export interface ChatTables {
  chats: { session_id: string; messages: Generated<number>; failure: Generated<string | null> };
  chat_events: {
    session_id: string;
    seq: number;
    lease_token: number;
    events: Json<JsonObject[]>;
  };
  chat_tool_calls: {
    session_id: string;
    message_id: string;
    calls: Json<JsonObject[]>;
  };
}
