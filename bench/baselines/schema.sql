-- The baselines' tables: columns and indexes as the service has them, without its partitions and rollups.
create table sessions (
  id uuid primary key,
  user_id text not null,
  room_name text not null unique,
  status text not null,
  call_status text,
  call_direction text,
  outbound_phone_number text,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  duration double precision
);

create table usage_events (
  id uuid primary key,
  session_id text not null,
  user_id text not null,
  agent_id text,
  provider text not null,
  event_type text not null,
  quantity numeric not null,
  unit_cost numeric not null,
  total_cost numeric not null,
  created_at timestamptz(3) not null
);

create index usage_events_by_user on usage_events (user_id, created_at);
create index usage_events_by_session on usage_events (session_id, id);

create table transcripts (
  id uuid primary key,
  session_id uuid not null references sessions (id),
  speaker text not null,
  content text not null,
  timestamp timestamptz(3) not null
);

create index transcripts_by_session on transcripts (session_id, id);

create table media_events (
  id text primary key,
  body text not null,
  room_name text,
  received_at timestamptz(3) not null,
  handled_at timestamptz(3)
);

create index media_events_unhandled on media_events (received_at) where handled_at is null;
