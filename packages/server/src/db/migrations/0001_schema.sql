-- Statements end with a semicolon at the end of a line, and stand apart by an empty line; one migration is one transaction.
-- Timestamps have the milliseconds that the API shows, so that what is compared is what is seen.

-- The least id that can be made at this time (UUIDv7, RFC 9562, 5.7).
create function id_from(moment timestamptz) returns uuid language sql immutable strict as
$$ select (left(hex, 8) || '-' || right(hex, 4) || '-7000-8000-000000000000')::uuid
   from (select lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0')) as id (hex) $$;

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
  -- How much the agent adds to the list of its user's agents, which has no pages.
  size_bytes integer not null generated always as (
    octet_length(name) + coalesce(octet_length(description), 0) + octet_length(config::text)
  ) stored,
  check ((phone_number is null) = (carrier_sid is null))
);

-- Deleted agents too: reports name them, and an erasure locks them.
create index agents_by_user on agents (user_id, id desc);

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
  erased_at timestamptz(3),
  -- Events of a session are numbered in the order of their commits, so that a listener can go on from a number.
  last_event bigint not null default 0,
  -- A conversation whose room was there and is gone has ended, whatever events were lost. One whose room was never there has not begun.
  room_seen_at timestamptz(3),
  -- The size of session_data as text, so that a list knows it without reading it.
  session_data_bytes integer not null default 2,
  check ((call_direction is null) = (call_status is null)),
  check ((status in ('COMPLETED', 'FAILED')) = (ended_at is not null)),
  check (call_status is null or (status, call_status) in (
    ('CREATED', 'RINGING'), ('ACTIVE', 'ANSWERED'), ('COMPLETED', 'COMPLETED'), ('FAILED', 'FAILED'), ('FAILED', 'NO_ANSWER')
  ))
);

create index sessions_by_user on sessions (user_id, id desc);

create index sessions_by_agent on sessions (agent_id, id desc);

create index sessions_open on sessions (id) where status in ('CREATED', 'ACTIVE');

-- Open and failed sessions are few: a list of them would otherwise read all sessions of their user.
create index sessions_open_by_user on sessions (user_id, id desc) where status in ('CREATED', 'ACTIVE');

create index sessions_failed_by_user on sessions (user_id, id desc) where status = 'FAILED';

create index sessions_open_conversations on sessions (id)
  where status in ('CREATED', 'ACTIVE') and call_status is null and room_seen_at is not null;

-- The timeline of a session: one row for each change of its state.
create table session_events (
  id uuid primary key,
  session_id uuid not null references sessions (id),
  status text not null,
  call_status text,
  created_at timestamptz(3) not null,
  seq bigint not null default 0
);

create index session_events_by_session on session_events (session_id, id);

-- Kept by the month, in partitions by id, because ids begin with the time they were made at.
create table transcripts (
  id uuid primary key,
  session_id uuid not null references sessions (id),
  speaker text not null check (speaker in ('USER', 'AGENT', 'SYSTEM')),
  content text not null,
  timestamp timestamptz(3) not null,
  seq bigint not null default 0
) partition by range (id);

create index transcripts_in_order on transcripts (session_id, seq, id);

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
) partition by range (id);

create index usage_events_by_user on usage_events (user_id, created_at);

create index usage_events_by_session on usage_events (session_id, id);

-- The first partition takes all months up to this one; the service makes those of the months to come.
do $$
declare
  month text := to_char(now() at time zone 'UTC', 'YYYY_MM');
  bound uuid := id_from((date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
begin
  execute format('create table usage_events_%s partition of usage_events for values from (minvalue) to (%L)', month, bound);
  execute format('create table transcripts_%s partition of transcripts for values from (minvalue) to (%L)', month, bound);
end $$;

-- For ids of a time that has no partition, if clocks are wrong: an event is never refused for that. Empty otherwise.
create table usage_events_other partition of usage_events default;

create table transcripts_other partition of transcripts default;

-- The sums that the reports give. Written in the transaction of the events, so that a report is never behind.
-- An event without an agent has the agent ''.
create table usage_rollups (
  user_id text not null,
  day date not null,
  agent_id text not null,
  provider text not null,
  event_type text not null,
  quantity numeric not null,
  total_cost numeric not null,
  events bigint not null,
  primary key (user_id, day, agent_id, provider, event_type)
);

-- Which sessions an agent has had events of, to count each of them once.
create table usage_agent_sessions (
  user_id text not null,
  agent_id text not null,
  session_id text not null,
  primary key (user_id, agent_id, session_id)
);

create table usage_agent_session_counts (
  user_id text not null,
  agent_id text not null,
  sessions bigint not null,
  primary key (user_id, agent_id)
);

-- Earlier secrets sign beside the newest until they expire. Secrets are sealed where SECRETS_KEY is set.
create table callback_secrets (
  user_id text primary key,
  secret text not null,
  created_at timestamptz(3) not null,
  previous_secret text,
  previous_expires_at timestamptz(3),
  -- Those before the previous one, each with its time.
  earlier_secrets jsonb not null default '[]'
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
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- When the next attempt is due; null when there is none.
  next_attempt_at timestamptz(3),
  delivered_at timestamptz(3),
  -- When a process may take the callback to send it. Whoever takes it moves this ahead, so that another takes over if it dies.
  send_at timestamptz(3),
  -- The host and port of the receiver, so that one that hangs is passed over.
  host text,
  -- The trace that the callback belongs to: its delivery is a span of the request that caused it.
  traceparent text
);

create index callbacks_by_user on callbacks (user_id, id desc);

create index callbacks_failed_by_user on callbacks (user_id, id desc) where status = 'failed';

create index callbacks_by_session on callbacks (session_id);

create index callbacks_by_status on callbacks (status, id);

create index callbacks_by_endpoint on callbacks (user_id, md5(url)) where status = 'pending';

create index callbacks_due on callbacks (next_attempt_at) where status = 'pending';

-- Users share receivers' hosts: the queue is searched by host and user, so that one user's receiver holds up no other's.
create index callbacks_to_send on callbacks (host, user_id, send_at) where status = 'pending' and send_at is not null;

create table callback_attempts (
  id uuid primary key,
  callback_id uuid not null references callbacks (id) on delete cascade,
  attempted_at timestamptz(3) not null,
  latency_ms integer not null,
  response_status integer,
  error text
);

create index callback_attempts_by_callback on callback_attempts (callback_id, id);

-- Addresses that answered 410 Gone. By a hash, because an index entry has no room for a long URL.
create table callback_endpoints_off (
  user_id text not null,
  url_hash text not null,
  switched_off_at timestamptz(3) not null,
  primary key (user_id, url_hash)
);

-- The routing that a number had before it was assigned, so that releasing it can restore that.
create table number_assignments (
  phone_number text primary key,
  agent_id uuid not null unique references agents (id),
  carrier_sid text not null,
  state text not null check (state in ('assigning', 'assigned', 'releasing')),
  previous_routing jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- Numbers whose carrier may yet carry out a request that it did not answer: they are looked at again, for about an hour.
create table number_watches (
  phone_number text primary key,
  carrier_sid text not null,
  -- The routing that the number had before it was sent to us.
  previous_routing jsonb not null,
  looks integer not null,
  look_at timestamptz(3) not null
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
  updated_at timestamptz(3) not null,
  -- Transfers ring phones as calls do, and count as calls: so many phones, of this user, until then at the latest.
  user_id text,
  phones integer not null default 0,
  counted_until timestamptz(3)
);

create unique index transfers_under_way on transfers (session_id) where status in ('pending', 'connected');

create index transfers_by_session on transfers (session_id, id);

create index transfers_counted on transfers (user_id, counted_until) where phones > 0;

-- How much each user may still call: a token bucket, and a count of the day (UTC).
create table call_allowances (
  user_id text primary key,
  tokens double precision not null,
  refilled_at timestamptz(3) not null,
  day text not null,
  calls integer not null
);

-- Tokens that a browser shows to follow one call: it cannot send a key with an EventSource, and must not have one.
create table stream_tokens (
  token_hash text primary key,
  session_id uuid not null,
  user_id text not null,
  -- That it was asked for with: a revoked key must not listen on through it. Null where there was none.
  key_id uuid,
  expires_at timestamptz(3) not null
);

create index stream_tokens_user on stream_tokens (user_id);

create index stream_tokens_expired on stream_tokens (expires_at);

-- Media provider events as they came, written before they are answered and acted on afterwards. The room is for erasures.
create table media_events (
  id text primary key,
  body text not null,
  received_at timestamptz(3) not null,
  handled_at timestamptz(3),
  room_name text
);

create index media_events_unhandled on media_events (received_at) where handled_at is null;

create index media_events_handled on media_events (handled_at) where handled_at is not null;

create index media_events_by_room on media_events (room_name);

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
  -- When a key ceases to be accepted; null when it never does.
  expires_at timestamptz(3),
  check ((role = 'user') = (user_id is not null))
);

-- For erasures.
create index api_keys_by_user on api_keys (user_id) where user_id is not null;

-- The first answers to requests with an Idempotency-Key, kept for 24 hours. The user is for erasures.
create table idempotency_keys (
  scope text not null,
  key text not null,
  fingerprint text not null,
  answer jsonb not null,
  created_at timestamptz(3) not null,
  user_id text,
  primary key (scope, key)
);

create index idempotency_keys_by_age on idempotency_keys (created_at);

create index idempotency_keys_by_user on idempotency_keys (user_id) where user_id is not null;

-- Who did what, when and from where, of what costs money or opens doors. Rows are only added; an erased user's lose id and address.
create table audit_log (
  id uuid primary key,
  at timestamptz(3) not null,
  actor text not null,
  user_id text,
  ip text,
  action text not null,
  target text not null,
  detail text
);

create index audit_log_by_user on audit_log (user_id) where user_id is not null;

-- Erasures that are under way: an interrupted one is carried on. The user's id goes with the last step.
create table erasures (
  pseudonym text primary key,
  user_id text unique,
  requested_at timestamptz(3) not null,
  finished_at timestamptz(3)
);

-- Work that one replica does at a time, and until when it may count on that.
create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz(3) not null
);

-- One row: identifies the installation, for the doctor.
create table installation (id uuid not null default gen_random_uuid());

insert into installation default values;
