-- When data of a session is deleted because its agent says so; null: when the installation's retention does.
alter table sessions
  add column transcripts_until timestamptz(3),
  add column recordings_until timestamptz(3),
  add column metadata_until timestamptz(3);

create index sessions_transcripts_until on sessions (transcripts_until, id) where transcripts_until is not null;

create index sessions_recordings_until on sessions (recordings_until, id) where recordings_until is not null;

create index sessions_metadata_until on sessions (metadata_until, id) where metadata_until is not null;
