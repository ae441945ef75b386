import type { ColumnType, Generated } from 'kysely';

/** Computed by the database. */
type Computed<T> = ColumnType<T, never, never>;

export type TestStatus = 'queued' | 'running' | 'passed' | 'failed' | 'invalid' | 'canceled';

/** Whether the answers of models are recorded, or replayed. */
export type CassetteMode = 'record' | 'replay' | 'passthrough';

/** Scenarios, suites of them, and test runs. */
export interface TestTables {
  scenarios: {
    id: string;
    user_id: string;
    name: string;
    /** As it was sent: YAML or JSON. */
    text: string;
    /** The same as JSON. */
    content: string;
    created_at: Date;
    updated_at: Date;
    size_bytes: Computed<number>;
  };
  suites: {
    id: string;
    user_id: string;
    name: string;
    scenario_ids: string[];
    created_at: Date;
    /** When it, or one of its scenarios, was last changed. */
    changed_at: Date;
    size_bytes: Computed<number>;
  };
  test_runs: {
    id: string;
    user_id: string;
    /** Null for chosen scenarios. */
    suite_id: string | null;
    agent_id: string;
    agent_version: number;
    cassette: Generated<CassetteMode>;
    /** With whose earlier results those of the run are compared. */
    base_version: Generated<number | null>;
    status: TestStatus;
    is_simulated: boolean;
    /** Whether a scenario has fewer runs than it asks for. */
    is_short: Generated<boolean>;
    scenarios: number;
    passed: Generated<number>;
    failed: Generated<number>;
    invalid: Generated<number>;
    created_at: Date;
    started_at: Date | null;
    ended_at: Date | null;
  };
  test_results: {
    id: string;
    run_id: string;
    user_id: string;
    /** Null for a call that is replayed. */
    scenario_id: string | null;
    name: string;
    /** The scenario as it was then, as JSON. */
    content: string;
    critical: boolean;
    runs: number;
    status: TestStatus;
    passed: Generated<number>;
    failed: Generated<number>;
    invalid: Generated<number>;
    error: string | null;
    /** JSON. */
    conversations: Generated<string>;
    problems: Generated<string>;
    is_complete: Generated<boolean>;
    /** Earlier runs of the base version; null without any. */
    base_passed: Generated<number | null>;
    base_failed: Generated<number | null>;
    started_at: Date | null;
    ended_at: Date | null;
    size_bytes: Computed<number>;
  };
  /** The calls that results replay, as they were. */
  test_replays: {
    result_id: string;
    user_id: string;
    call_id: string;
    agent_version: number | null;
    /** JSON. */
    turns: string;
    size_bytes: Computed<number>;
  };
  /** The usage of models in test runs, with the columns of `usage_rollups`. */
  test_usage_rollups: {
    user_id: string;
    day: string;
    agent_id: string;
    provider: string;
    event_type: string;
    model: string;
    direction: Generated<string>;
    recorded_on: string;
    agent_version: number;
    quantity: string;
    total_cost: string;
    events: number;
    unpriced: number;
  };
  /** Recorded traffic of language models. */
  cassettes: {
    /** The id of the scenario, or of the call. */
    id: string;
    user_id: string;
    agent_id: string;
    agent_version: number;
    /** JSON. */
    content: string;
    exchanges: number;
    recorded_at: Date;
    size_bytes: Computed<number>;
  };
}
