-- When data of a session is deleted because its agent says so; null: when the installation's retention does.
alter table sessions
  add column transcripts_until timestamptz(3),
  add column recordings_until timestamptz(3),
  add column metadata_until timestamptz(3);
