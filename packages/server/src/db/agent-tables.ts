import type { ColumnType, Generated } from 'kysely';
import type { JsonObject } from '../lib/json.ts';

/** `jsonb`: written as text, because a driver would take an array for a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>;
/** Computed by the database. */
type Computed<T> = ColumnType<T, never, never>;

export type AgentType = 'STT' | 'LLM' | 'TTS' | 'PIPELINE';
export type StickyBy = 'number' | 'none';
export type Publishing = 'direct' | 'gated';

/** A version that some of the calls get, by its weight of 100. */
export interface Arm {
  version: number;
  weight: number;
}

/** Agents and their versions, drafts and releases. */
export interface AgentTables {
  agents: {
    id: string;
    user_id: string;
    name: string;
    description: string | null;
    type: AgentType;
    config: Json<JsonObject>;
    /** Bytes of name, description and config, computed by the database. */
    size_bytes: ColumnType<number, never, never>;
    is_active: boolean;
    phone_number: string | null;
    carrier_sid: string | null;
    /** Default callback URL of the agent's calls. */
    callback_url: string | null;
    /** The version whose content the row has; null if a replica of an earlier release has written it. */
    version: Generated<number | null>;
    /** The arms of a release of several versions; null: calls get what is in the row. */
    arms: ColumnType<Arm[] | null, string | null | undefined, string | null>;
    sticky_by: Generated<StickyBy>;
    publishing: Generated<Publishing>;
    /** Chosen by its user, and unique among that user's agents. */
    external_key: Generated<string | null>;
    /** None of its conversations are deleted. */
    legal_hold: Generated<boolean>;
    created_at: Date;
    updated_at: Date;
    deleted_at: Date | null;
  };
  agent_versions: {
    agent_id: string;
    number: number;
    user_id: string;
    name: string;
    description: string | null;
    type: AgentType;
    config: Json<JsonObject>;
    /** Equal for equal content. */
    hash: Computed<string>;
    size_bytes: Computed<number>;
    note: string | null;
    created_by: string;
    created_by_user: string | null;
    created_at: Date;
    /** When it was first released; null: never. */
    released_at: Date | null;
  };
  agent_releases: {
    agent_id: string;
    number: number;
    user_id: string;
    arms: Json<Arm[]>;
    sticky_by: StickyBy;
    /** The release that a rollback of this one returns to. */
    previous: number | null;
    /** The release that it repeats, if it is a rollback. */
    repeats: number | null;
    /** The suite that its versions had to pass. */
    gate: Generated<string | null>;
    created_by: string;
    created_by_user: string | null;
    created_at: Date;
  };
  agent_drafts: {
    agent_id: string;
    user_id: string;
    name: string;
    description: string | null;
    type: AgentType;
    config: Json<JsonObject>;
    hash: Computed<string>;
    size_bytes: Computed<number>;
    /** The version that most calls got when the draft was begun. */
    based_on: number;
    updated_by: string;
    updated_by_user: string | null;
    updated_at: Date;
  };
}
