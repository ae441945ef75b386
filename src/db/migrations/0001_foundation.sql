-- Statements end with a semicolon at the end of a line; one migration is one transaction.
-- Timestamps have the milliseconds that the API shows, so that what is compared is what is seen.

create table agents (
  id uuid primary key,
  user_id text not null,
  name text not null,
  description text,
  type text not null check (type in ('STT', 'LLM', 'TTS', 'PIPELINE')),
  config jsonb not null,
  is_active boolean not null,
  phone_number text unique,
  carrier_sid text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  check ((phone_number is null) = (carrier_sid is null))
);

create index agents_by_user on agents (user_id, id desc) where deleted_at is null;

-- A call is a session that has a call_status; call_id is the session's id.
create table sessions (
  id uuid primary key,
  room_name text not null unique,
  user_id text not null,
  agent_id uuid references agents (id),
  status text not null check (status in ('CREATED', 'ACTIVE', 'COMPLETED', 'FAILED')),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  duration double precision,
  session_data jsonb not null,
  call_direction text check (call_direction in ('INBOUND', 'OUTBOUND')),
  call_status text check (call_status in ('RINGING', 'ANSWERED', 'COMPLETED', 'FAILED', 'NO_ANSWER')),
  outbound_phone_number text,
  caller_number text,
  callback_url text,
  -- When the agent's worker was first seen in the room.
  agent_joined_at timestamptz(3),
  end_reason text,
  sip_status_code integer,
  transferred_to text,
  transfer_type text check (transfer_type in ('WARM', 'COLD')),
  transfer_timestamp timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((call_direction is null) = (call_status is null)),
  check ((status in ('COMPLETED', 'FAILED')) = (ended_at is not null)),
  check (call_status is null or (status, call_status) in (
    ('CREATED', 'RINGING'), ('ACTIVE', 'ANSWERED'), ('COMPLETED', 'COMPLETED'), ('FAILED', 'FAILED'), ('FAILED', 'NO_ANSWER')
  ))
);

create index sessions_by_user on sessions (user_id, id desc);

create index sessions_by_agent on sessions (agent_id, id desc);

create index sessions_open_by_user on sessions (user_id) where status in ('CREATED', 'ACTIVE') and call_direction = 'OUTBOUND';

create index sessions_open on sessions (id) where status in ('CREATED', 'ACTIVE');

-- The timeline of a session: one row for each change of its state.
create table session_events (
  id uuid primary key,
  session_id uuid not null references sessions (id),
  status text not null,
  call_status text,
  created_at timestamptz(3) not null
);

create index session_events_by_session on session_events (session_id, id);

create table transcripts (
  id uuid primary key,
  session_id uuid not null references sessions (id),
  speaker text not null check (speaker in ('USER', 'AGENT', 'SYSTEM')),
  content text not null,
  timestamp timestamptz(3) not null
);

create index transcripts_by_session on transcripts (session_id, id);

-- A ledger: rows are added and never changed. Session and agent may be unknown here: a worker may be early, or late.
create table usage_events (
  id uuid primary key,
  session_id text not null,
  user_id text not null,
  agent_id text,
  provider text not null,
  event_type text not null check (event_type in ('stt_minutes', 'llm_tokens', 'tts_characters')),
  quantity numeric not null,
  unit_cost numeric not null,
  total_cost numeric not null,
  created_at timestamptz(3) not null
);

create index usage_events_by_user on usage_events (user_id, created_at);

create index usage_events_by_session on usage_events (session_id, id);

create table callback_secrets (
  user_id text primary key,
  secret text not null,
  created_at timestamptz(3) not null
);

create table callbacks (
  id uuid primary key,
  session_id uuid not null references sessions (id),
  user_id text not null,
  url text not null,
  type text not null,
  payload text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null,
  response_status integer,
  error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index callbacks_by_user on callbacks (user_id, id desc);

-- What a number did before it was assigned, so that releasing it can restore that.
create table number_assignments (
  phone_number text primary key,
  agent_id uuid not null unique references agents (id),
  carrier_sid text not null,
  state text not null check (state in ('assigning', 'assigned', 'releasing')),
  previous_routing jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table transfers (
  id uuid primary key,
  session_id uuid not null references sessions (id),
  transfer_type text not null check (transfer_type in ('WARM', 'COLD')),
  phone_number text not null,
  status text not null check (status in ('pending', 'connected', 'completed', 'failed')),
  reason text,
  sip_status_code integer,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create unique index transfers_under_way on transfers (session_id) where status in ('pending', 'connected');

create index transfers_by_session on transfers (session_id, id);

-- Media provider events as they came, written before they are answered and acted on afterwards.
create table media_events (
  id text primary key,
  body text not null,
  received_at timestamptz(3) not null,
  handled_at timestamptz(3)
);

create index media_events_unhandled on media_events (received_at) where handled_at is null;

-- Work that one replica does at a time, and until when it may count on that.
create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz(3) not null
);

-- Keys themselves are not kept, only their SHA-256.
create table api_keys (
  id uuid primary key,
  name text not null,
  role text not null check (role in ('service', 'worker', 'user')),
  user_id text,
  token_hash text not null unique,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  check ((role = 'user') = (user_id is not null))
);

-- The first answers to requests with an Idempotency-Key, kept for 24 hours.
create table idempotency_keys (
  scope text not null,
  key text not null,
  fingerprint text not null,
  answer jsonb not null,
  created_at timestamptz(3) not null,
  primary key (scope, key)
);

create index idempotency_keys_by_age on idempotency_keys (created_at);

-- How much each user may still call: a token bucket, and a count of the day (UTC).
create table call_allowances (
  user_id text primary key,
  tokens double precision not null,
  refilled_at timestamptz(3) not null,
  day text not null,
  calls integer not null
);
