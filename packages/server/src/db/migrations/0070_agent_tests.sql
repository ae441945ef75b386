-- Conversations that are tests of agents, suites of them, and what came of running them.
create table scenarios (
  id uuid primary key,
  user_id text not null,
  name text not null,
  -- As it was sent: YAML or JSON.
  text text not null,
  -- The same as JSON, as a runner reads it. Not jsonb, which cannot hold every text that YAML can.
  content text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  size_bytes integer not null generated always as (500 + octet_length(name) + octet_length(text) + octet_length(content)) stored
);

create unique index scenarios_by_name on scenarios (user_id, name);

create index scenarios_by_user on scenarios (user_id, id);

create table suites (
  id uuid primary key,
  user_id text not null,
  name text not null,
  scenario_ids uuid[] not null,
  created_at timestamptz(3) not null,
  -- When it, or one of its scenarios, was last changed: earlier test runs say nothing about it.
  changed_at timestamptz(3) not null,
  size_bytes integer not null generated always as (300 + octet_length(name) + 16 * cardinality(scenario_ids)) stored
);

create unique index suites_by_name on suites (user_id, name);

create index suites_by_user on suites (user_id, id);

create table test_runs (
  id uuid primary key,
  user_id text not null,
  -- The suite that was run; null for chosen scenarios.
  suite_id uuid,
  agent_id uuid not null,
  agent_version integer not null,
  status text not null check (status in ('queued', 'running', 'passed', 'failed', 'invalid', 'canceled')),
  is_simulated boolean not null,
  scenarios integer not null,
  passed integer not null default 0,
  failed integer not null default 0,
  invalid integer not null default 0,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3)
);

create index test_runs_by_user on test_runs (user_id, id);

create index test_runs_by_suite on test_runs (suite_id, agent_id, agent_version, id) where suite_id is not null;

create index test_runs_by_agent on test_runs (agent_id, id);

create index open_test_runs on test_runs (user_id, id) where ended_at is null;

-- What came of one scenario in a test run. Its id is the key of the work that runs it.
create table test_results (
  id uuid primary key,
  run_id uuid not null references test_runs (id),
  user_id text not null,
  scenario_id uuid not null,
  -- The scenario as it was then.
  name text not null,
  content text not null,
  critical boolean not null,
  runs integer not null,
  status text not null check (status in ('queued', 'running', 'passed', 'failed', 'invalid', 'canceled')),
  passed integer not null default 0,
  failed integer not null default 0,
  invalid integer not null default 0,
  -- Why there is no result.
  error text,
  -- JSON: the conversations that differ, and the problems of the first that did not pass.
  conversations text not null default '[]',
  problems text not null default '[]',
  -- Whether all conversations that differ are kept.
  is_complete boolean not null default true,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  size_bytes integer not null generated always as (
    500 + octet_length(name) + octet_length(content) + octet_length(conversations) + octet_length(problems)
  ) stored
);

create index test_results_by_run on test_results (run_id, id);

create index test_results_by_user on test_results (user_id);

-- How much tests add to what is stored for a user.
create view stored_tests as
  select user_id, size_bytes as bytes from scenarios
  union all select user_id, size_bytes from suites
  union all select user_id, size_bytes from test_results;

create or replace view stored_content as
  select user_id, session_bytes(session_data_bytes, variables, metadata) as bytes from sessions where erased_at is null
  union all
  select sessions.user_id, transcript_bytes(content) from transcripts join sessions on sessions.id = session_id
  where sessions.erased_at is null
  union all select user_id, 500 + size_bytes from agents
  union all select user_id, callback_bytes(url, payload) from callbacks
  union all select user_id, answer_bytes(answer) from idempotency_keys where user_id is not null
  union all select user_id, audit_bytes(detail) from audit_log where user_id is not null
  union all select user_id, bytes from stored_agent_content
  union all select user_id, bytes from stored_tests;

create trigger count_bytes_added after insert on scenarios referencing new table as added
for each statement execute function count_new_agent_content();

create trigger count_bytes_removed after delete on scenarios referencing old table as removed
for each statement execute function count_deleted_agent_content();

create trigger count_bytes_changed after update of text on scenarios
for each row execute function count_changed_draft();

create trigger count_bytes_added after insert on suites referencing new table as added
for each statement execute function count_new_agent_content();

create trigger count_bytes_removed after delete on suites referencing old table as removed
for each statement execute function count_deleted_agent_content();

create trigger count_bytes_changed after update of scenario_ids on suites
for each row execute function count_changed_draft();

create trigger count_bytes_added after insert on test_results referencing new table as added
for each statement execute function count_new_agent_content();

create trigger count_bytes_removed after delete on test_results referencing old table as removed
for each statement execute function count_deleted_agent_content();

create trigger count_bytes_changed after update of conversations on test_results
for each row execute function count_changed_draft();
