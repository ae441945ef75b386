-- Workers that take calls, and how many, as they say themselves: campaigns dial nobody for whom there is no worker.
create table call_workers (
  id text primary key,
  max_calls integer not null,
  seen_at timestamptz not null
);
