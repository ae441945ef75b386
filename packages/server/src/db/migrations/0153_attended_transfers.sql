-- Transfers whose target the agent talks to first, while the caller waits apart. The briefing is kept until then.
alter table transfers
  add column is_attended boolean not null default false,
  add column briefing text,
  -- The end of a transfer that was decided, before everybody in the room has been told.
  add column verdict text check (verdict in ('connect', 'return'));
