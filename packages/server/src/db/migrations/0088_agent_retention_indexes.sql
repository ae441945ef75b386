-- Apart from the columns, so that calls can be read while these are built.
create index sessions_transcripts_until on sessions (transcripts_until, id) where transcripts_until is not null;

create index sessions_recordings_until on sessions (recordings_until, id) where recordings_until is not null;

create index sessions_metadata_until on sessions (metadata_until, id) where metadata_until is not null;
