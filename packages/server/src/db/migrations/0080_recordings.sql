-- Recordings of calls. The audio is in the storage, in segments of a few seconds; here is what it consists of.
create table recordings (
  id uuid primary key,
  session_id uuid not null references sessions (id),
  user_id text not null,
  state text not null
    check (state in ('waiting_for_consent', 'recording', 'uploading', 'stored', 'refused', 'failed', 'deleted')),
  channels text not null check (channels in ('stereo', 'mono')),
  started_at timestamptz(3),
  duration_ms integer not null default 0,
  bytes integer not null default 0,
  sha256 text,
  gaps jsonb not null default '[]',
  -- Why it failed.
  error text,
  -- The number of its segments, once its worker has said that it has ended.
  segments integer,
  -- Bytes of each verified segment, in order; 0 for one that never came.
  pieces integer[] not null default '{}',
  -- The end of the last of these, in milliseconds after the start.
  verified_ms integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index recordings_by_session on recordings (session_id, id);

-- What the erasure of a user deletes.
create index recordings_of_user on recordings (user_id) where state <> 'deleted';

create index recordings_by_age on recordings (created_at);

-- Those that may have been left by a worker that died.
create index recordings_open on recordings (updated_at) where state in ('waiting_for_consent', 'recording', 'uploading');

-- Segments in the storage that are not verified yet.
create table recording_segments (
  recording_id uuid not null references recordings (id) on delete cascade,
  seq integer not null,
  bytes integer not null,
  sha256 text not null,
  from_ms integer not null,
  to_ms integer not null,
  primary key (recording_id, seq)
);

-- A token for the audio of one recording, and nothing else.
alter table stream_tokens add column recording_id uuid;

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
  select user_id, bytes from recordings;

-- Nothing counts as written: a worker writes it, at the speed of speech.
create function count_recording() returns trigger language plpgsql as
$$
declare
  before integer := case when tg_op = 'INSERT' then 0 else old.bytes end;
  after integer := case when tg_op = 'DELETE' then 0 else new.bytes end;
begin
  if after <> before then
    insert into storage_changes (user_id, bytes, written)
    values (case when tg_op = 'DELETE' then old.user_id else new.user_id end, after - before, 0);
  end if;
  return null;
end
$$;

create trigger count_bytes after insert or delete or update of bytes on recordings
for each row execute function count_recording();
