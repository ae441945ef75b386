import type { ColumnType, Generated } from 'kysely';

/** Computed by the database. */
type Computed<T> = ColumnType<T, never, never>;

type AnalysisState = 'queued' | 'running' | 'done' | 'failed';

/** Extractors, and what they have read out of calls. */
export interface AnalysisTables {
  extractors: {
    id: string;
    user_id: string;
    name: string;
    /** The newest. */
    version: number;
    created_at: Date;
    updated_at: Date;
    deleted_at: Date | null;
  };
  extractor_versions: {
    extractor_id: string;
    version: number;
    user_id: string;
    /** JSON. */
    content: string;
    created_at: Date;
    size_bytes: Computed<number>;
  };
  analyses: {
    id: string;
    session_id: string;
    user_id: string;
    extractor: string;
    extractor_version: number;
    state: AnalysisState;
    /** JSON; null before the first result. */
    result: string | null;
    error: string | null;
    cost: Generated<string>;
    /** The lease of the newest attempt whose usage is in the ledger. */
    booked_lease: Generated<number>;
    is_simulated: Generated<boolean>;
    backfill_id: string | null;
    created_at: Date;
    started_at: Date | null;
    ended_at: Date | null;
    size_bytes: Computed<number>;
  };
  analysis_values: {
    session_id: string;
    extractor: string;
    field: string;
    value: string;
    number: number;
    /** The value under which statistics count it, '' for numbers; null for texts, which they do not count. */
    counted_as: string | null;
    user_id: string;
  };
  analysis_rollups: {
    user_id: string;
    day: string;
    /** '' for calls without an agent. */
    agent_id: string;
    /** 0 for calls without a version of their agent. */
    agent_version: number;
    extractor: string;
    field: string;
    /** '' for numbers. */
    value: string;
    calls: number;
    total: string;
    /** The part of both whose values are deleted at the age of their calls. */
    gone_calls: Generated<number>;
    gone_total: Generated<string>;
  };
  analysis_backfills: {
    id: string;
    user_id: string;
    extractor: string;
    extractor_version: number;
    /** JSON. */
    filter: string;
    state: 'running' | 'out_of_budget' | 'done' | 'canceled';
    after_session: Generated<string | null>;
    is_scanned: Generated<boolean>;
    queued: Generated<number>;
    done: Generated<number>;
    failed: Generated<number>;
    created_at: Date;
    ended_at: Date | null;
  };
}
