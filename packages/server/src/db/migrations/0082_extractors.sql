-- What models read out of the transcripts of calls. A version never changes; of a deleted extractor the row stays, so that a later one of
-- the same name goes on counting: a name and a version always mean the same.
create table extractors (
  id uuid primary key,
  user_id text not null,
  name text not null,
  -- The newest.
  version integer not null check (version > 0),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);

create unique index extractors_by_name on extractors (user_id, name);

create index extractors_by_user on extractors (user_id, id) where deleted_at is null;

create table extractor_versions (
  extractor_id uuid not null references extractors (id),
  version integer not null check (version > 0),
  user_id text not null,
  -- Text, so that fields keep the order in which they were written.
  content text not null,
  created_at timestamptz(3) not null,
  size_bytes integer not null generated always as (300 + octet_length(content)) stored,
  primary key (extractor_id, version)
);

create index extractor_versions_by_user on extractor_versions (user_id);

create trigger count_bytes_added after insert on extractor_versions referencing new table as added
for each statement execute function count_new_agent_content();

create trigger count_bytes_removed after delete on extractor_versions referencing old table as removed
for each statement execute function count_deleted_agent_content();

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
  select user_id, size_bytes from extractor_versions;
