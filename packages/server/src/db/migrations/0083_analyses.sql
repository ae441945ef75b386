-- Values read out of the transcripts of calls: one analysis of a call by each version of an extractor.
create table analyses (
  id uuid primary key,
  session_id uuid not null references sessions (id),
  user_id text not null,
  extractor text not null,
  extractor_version integer not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed')),
  -- JSON: values, evidence, summary, success and score; null before the first result. It stays while the call is analysed again.
  result text,
  -- Why there is none, or no new one.
  error text,
  -- Of all attempts, in the currency of the ledger.
  cost numeric not null default 0,
  -- The lease of the newest attempt whose usage is in the ledger.
  booked_lease bigint not null default 0,
  is_simulated boolean not null default false,
  -- The backfill that has asked for it.
  backfill_id uuid,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  size_bytes integer not null generated always as (400 + coalesce(octet_length(result), 0)) stored
);

create unique index analyses_by_call on analyses (session_id, extractor, extractor_version);

create index analyses_open_of_backfill on analyses (backfill_id) where state in ('queued', 'running') and backfill_id is not null;

-- What the newest ones cost, for estimates.
create index analyses_by_extractor on analyses (user_id, extractor, id) where state = 'done';

-- The values of the newest result of each extractor for a call, to find and sort calls by them.
create table analysis_values (
  session_id uuid not null references sessions (id),
  extractor text not null,
  field text not null,
  -- As text, cut to 200 characters; of a list one row for each item.
  value text not null,
  -- What it is sorted by, before its text: 0 for texts.
  number double precision not null,
  -- The value under which statistics count it, '' for numbers; null for texts, which they do not count.
  counted_as text,
  user_id text not null,
  primary key (session_id, extractor, field, value)
);

create index analysis_values_of_user on analysis_values (user_id, field, value, session_id);

create index analysis_values_by_value on analysis_values (field, value, session_id);

create index analysis_values_sorted_of_user on analysis_values (user_id, field, number, value, session_id);

create index analysis_values_sorted on analysis_values (field, number, value, session_id);

-- Statistics: how many calls of a day have a value.
create table analysis_rollups (
  user_id text not null,
  day date not null,
  agent_id text not null,
  agent_version integer not null,
  extractor text not null,
  field text not null,
  -- '' for numbers, of which there is a total.
  value text not null,
  calls bigint not null,
  total numeric not null,
  primary key (user_id, field, day, agent_id, agent_version, extractor, value)
);

create index analysis_rollups_by_field on analysis_rollups (field, day);

create table analysis_backfills (
  id uuid primary key,
  user_id text not null,
  extractor text not null,
  extractor_version integer not null,
  -- JSON.
  filter text not null,
  state text not null check (state in ('running', 'done')),
  -- The call up to which calls have been looked at, newest first; null: none yet.
  after_session uuid,
  is_scanned boolean not null default false,
  -- Calls whose analysis it has queued, and how many of these have ended.
  queued integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  created_at timestamptz(3) not null,
  ended_at timestamptz(3)
);

create index analysis_backfills_by_user on analysis_backfills (user_id, id);

create index analysis_backfills_open on analysis_backfills (user_id) where state = 'running';

create trigger count_bytes_added after insert on analyses referencing new table as added
for each statement execute function count_new_agent_content();

create trigger count_bytes_removed after delete on analyses referencing old table as removed
for each statement execute function count_deleted_agent_content();

-- Nothing counts as written: workers write it.
create function count_changed_analysis() returns trigger language plpgsql as
$$
begin
  if new.size_bytes <> old.size_bytes then
    insert into storage_changes (user_id, bytes, written) values (new.user_id, new.size_bytes - old.size_bytes, 0);
  end if;
  return null;
end
$$;

create trigger count_bytes_changed after update of result on analyses
for each row execute function count_changed_analysis();

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
  union all select user_id, bytes from stored_tests
  union all
  select user_id, bytes from recordings
  union all
  select user_id, size_bytes from extractor_versions
  union all
  select user_id, size_bytes from analyses;
