-- Partial results of the turn of a chat that is being answered, in the order in which its worker reported them. The next message deletes
-- them. They are not counted as stored: each chat has those of one turn, which are limited.
create table chat_events (
  session_id uuid not null references sessions (id),
  seq integer not null,
  -- The lease of the worker: events of an attempt that has failed are not part of the answer.
  lease_token bigint not null,
  events jsonb not null,
  primary key (session_id, seq)
);
