-- Whom an answer is about, so that it can be erased with the user.
alter table idempotency_keys add column user_id text;

create index idempotency_keys_by_user on idempotency_keys (user_id) where user_id is not null;

update idempotency_keys set user_id = coalesce(
  answer ->> 'user_id',
  (select sessions.user_id from sessions where sessions.id::text = coalesce(answer ->> 'session_id', answer ->> 'call_id'))
);

alter table sessions add column erased_at timestamptz(3);

-- Whose room an event is about, for the same reason. Of those acted on until now the body goes.
alter table media_events add column room_name text;

update media_events set body = '' where handled_at is not null;

create index media_events_handled on media_events (handled_at) where handled_at is not null;

-- The job queue makes its own tables, but replicas that start together must not make its schema together.
create schema if not exists pgboss;

create index media_events_by_room on media_events (room_name);

-- The secret before the last rotation signs beside the new one until it expires. Secrets are sealed where SECRETS_KEY is set.
alter table callback_secrets add column previous_secret text;

alter table callback_secrets add column previous_expires_at timestamptz(3);

-- When the next attempt is due; null when there is none.
alter table callbacks add column next_attempt_at timestamptz(3);

alter table callbacks add column delivered_at timestamptz(3);

update callbacks set next_attempt_at = updated_at where status = 'pending';

update callbacks set delivered_at = updated_at where status = 'delivered';

create index callbacks_due on callbacks (next_attempt_at) where status = 'pending';

create index callbacks_by_endpoint on callbacks (user_id, md5(url)) where status = 'pending';

create index callbacks_by_session on callbacks (session_id);

create index callbacks_by_status on callbacks (status, id);

create table callback_attempts (
  id uuid primary key,
  callback_id uuid not null references callbacks (id) on delete cascade,
  attempted_at timestamptz(3) not null,
  latency_ms integer not null,
  response_status integer,
  error text
);

create index callback_attempts_by_callback on callback_attempts (callback_id, id);

-- Of the attempts until now only the last is known. Its columns stay for the processes of the release before, and are not read.
insert into callback_attempts (id, callback_id, attempted_at, latency_ms, response_status, error)
select gen_random_uuid(), id, updated_at, 0, response_status, case when error is not null then 'connection_failed' end
from callbacks where attempts > 0;

-- Addresses that answered 410 Gone. By a hash, because an index entry has no room for a long URL.
create table callback_endpoints_off (
  user_id text not null,
  url_hash text not null,
  switched_off_at timestamptz(3) not null,
  primary key (user_id, url_hash)
);

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
