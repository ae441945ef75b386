-- What grows with the calls is kept by the month: in partitions by id, because ids begin with the time they were made at.
-- Until now there was one table each; with what is in it, it becomes the partition of this month and all before it.

-- The least id that can be made at this time (UUIDv7, RFC 9562, 5.7).
create function id_from(moment timestamptz) returns uuid language sql immutable strict as
$$ select (left(hex, 8) || '-' || right(hex, 4) || '-7000-8000-000000000000')::uuid
   from (select lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0')) as id (hex) $$;

alter table usage_events rename to usage_events_until;

alter index usage_events_pkey rename to usage_events_until_pkey;

alter index usage_events_by_user rename to usage_events_until_by_user;

alter index usage_events_by_session rename to usage_events_until_by_session;

create table usage_events (like usage_events_until including constraints, primary key (id)) partition by range (id);

create index usage_events_by_user on usage_events (user_id, created_at);

create index usage_events_by_session on usage_events (session_id, id);

alter table transcripts rename to transcripts_until;

alter index transcripts_pkey rename to transcripts_until_pkey;

alter index transcripts_by_session rename to transcripts_until_by_session;

create table transcripts (
  like transcripts_until including constraints,
  primary key (id),
  foreign key (session_id) references sessions (id)
) partition by range (id);

create index transcripts_by_session on transcripts (session_id, id);

do $$
declare
  month text := to_char(now() at time zone 'UTC', 'YYYY_MM');
  bound uuid := id_from((date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
begin
  execute format('alter table usage_events attach partition usage_events_until for values from (minvalue) to (%L)', bound);
  execute format('alter table transcripts attach partition transcripts_until for values from (minvalue) to (%L)', bound);
  execute format('alter table usage_events_until rename to usage_events_%s', month);
  execute format('alter table transcripts_until rename to transcripts_%s', month);
end $$;

-- For ids of a time that has no partition, if clocks are wrong: an event is never refused for that. Empty otherwise.
create table usage_events_other partition of usage_events default;

create table transcripts_other partition of transcripts default;

-- What was spent, as the reports ask for it. Written in the transaction of the events, so that a report is never behind.
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

insert into usage_rollups
select user_id, (created_at at time zone 'UTC')::date, coalesce(agent_id, ''), provider, event_type,
  sum(quantity), sum(total_cost), count(*)
from usage_events group by 1, 2, 3, 4, 5;

insert into usage_agent_sessions
select distinct user_id, agent_id, session_id from usage_events where agent_id is not null;

insert into usage_agent_session_counts
select user_id, agent_id, count(*) from usage_agent_sessions group by 1, 2;
