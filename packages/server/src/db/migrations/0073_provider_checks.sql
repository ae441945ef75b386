-- A check of a model's provider: asked by an operator, done by a worker. It is deleted with the response.
create table provider_checks (
  id uuid primary key,
  asked jsonb not null,
  -- When a worker has begun with it.
  claimed_at timestamptz(3),
  result jsonb
);
