-- What must happen later, or again until it succeeds: added in the transaction of the change that asks for it, taken by any
-- process, deleted when it is done.
create table work (
  id uuid primary key,
  kind text not null,
  key text not null,
  payload jsonb not null,
  due_at timestamptz(3) not null,
  -- How often it was begun since it last succeeded.
  attempts integer not null default 0,
  last_error text,
  -- Held by one process until then, by the database's clock; null while nobody has it.
  leased_until timestamptz(3),
  -- Raised each time it is taken, so that a holder whose lease was lost changes nothing.
  lease_token bigint not null default 0,
  -- When it was asked for again while somebody held it.
  again_at timestamptz(3),
  created_at timestamptz(3) not null,
  unique (kind, key)
);

create index work_due on work (kind, due_at);

create index work_failing on work (id) where last_error is not null;
