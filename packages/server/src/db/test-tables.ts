import type { ColumnType, Generated } from 'kysely';

/** Computed by the database. */
type Computed<T> = ColumnType<T, never, never>;

export type TestStatus = 'queued' | 'running' | 'passed' | 'failed' | 'invalid' | 'canceled';

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
    status: TestStatus;
    is_simulated: boolean;
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
    scenario_id: string;
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
    started_at: Date | null;
    ended_at: Date | null;
    size_bytes: Computed<number>;
  };
}
