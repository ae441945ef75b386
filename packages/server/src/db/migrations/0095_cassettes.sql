-- The recorded traffic of language models, one recording for each scenario, or for each call that was replayed. As text: it is only read whole.
create table cassettes (
  -- The id of the scenario, or of the call.
  id uuid primary key,
  user_id text not null,
  agent_id uuid not null,
  agent_version integer not null,
  content text not null,
  exchanges integer not null,
  recorded_at timestamptz(3) not null,
  size_bytes integer not null generated always as (300 + octet_length(content)) stored
);

create index cassettes_by_user on cassettes (user_id);

create index cassettes_by_age on cassettes (recorded_at);

alter table test_runs
  add column cassette text not null default 'passthrough' check (cassette in ('record', 'replay', 'passthrough')),
  -- The version with whose earlier results its own are compared.
  add column base_version integer;

alter table test_results
  -- Null for a call that is replayed.
  alter column scenario_id drop not null,
  -- Earlier runs of the base version; null without any.
  add column base_passed integer,
  add column base_failed integer;

create index test_results_by_scenario on test_results (scenario_id, id) where scenario_id is not null;

-- The calls that results replay, as they were.
create table test_replays (
  result_id uuid primary key references test_results (id) on delete cascade,
  user_id text not null,
  call_id uuid not null,
  -- Null for a call of an agent without versions.
  agent_version integer,
  -- JSON: what was heard, said and called.
  turns text not null,
  size_bytes integer not null generated always as (200 + octet_length(turns)) stored
);

create index test_replays_by_user on test_replays (user_id);

create or replace view stored_tests as
  select user_id, size_bytes as bytes from scenarios
  union all select user_id, size_bytes from suites
  union all select user_id, size_bytes from test_results
  union all select user_id, size_bytes from cassettes
  union all select user_id, size_bytes from test_replays;

create trigger count_bytes_added after insert on cassettes referencing new table as added
for each statement execute function count_new_agent_content();

create trigger count_bytes_removed after delete on cassettes referencing old table as removed
for each statement execute function count_deleted_agent_content();

create trigger count_bytes_changed after update of content on cassettes
for each row execute function count_changed_draft();

create trigger count_bytes_added after insert on test_replays referencing new table as added
for each statement execute function count_new_agent_content();

create trigger count_bytes_removed after delete on test_replays referencing old table as removed
for each statement execute function count_deleted_agent_content();
