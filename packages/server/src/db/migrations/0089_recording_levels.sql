-- The loudness of recordings, for a picture of them without their audio. A few bytes beside each segment: not counted
-- as stored.
create table recording_levels (
  recording_id uuid not null references recordings (id) on delete cascade,
  seq integer not null,
  from_ms integer not null,
  -- A byte per channel and tenth of a second.
  levels bytea not null,
  primary key (recording_id, seq)
);
