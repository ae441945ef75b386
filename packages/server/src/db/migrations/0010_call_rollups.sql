-- The bucket of milliseconds in a histogram: that of histogram.ts.
create function histogram_bucket(ms bigint) returns smallint language sql immutable strict as
$$ select case when ms < 1 then 0 else 1 + ceil(ln(ms::double precision) / ln(1.05::double precision) - 1e-9) end::smallint $$;

-- Histograms of how long calls rang and were talked on, written with the end of each call: a report reads as many rows
-- however many calls there were. Each call that has ended is in one row of `ring`, each that was answered in one of
-- `talk` too. An absent agent, end_reason or answered_by is ''.
create table call_rollups (
  user_id text not null,
  -- When the call began, UTC.
  day date not null,
  agent_id text not null,
  direction text not null check (direction in ('INBOUND', 'OUTBOUND', 'WEB')),
  end_reason text not null,
  answered_by text not null,
  metric text not null check (metric in ('ring', 'talk')),
  bucket smallint not null,
  calls bigint not null,
  total_ms bigint not null,
  primary key (user_id, day, agent_id, direction, end_reason, answered_by, metric, bucket)
);

-- For reports on all users.
create index call_rollups_by_day on call_rollups (day);

insert into call_rollups (user_id, day, agent_id, direction, end_reason, answered_by, metric, bucket, calls, total_ms)
select user_id, (created_at at time zone 'UTC')::date, coalesce(agent_id::text, ''), coalesce(call_direction, 'WEB'),
  coalesce(end_reason, ''), coalesce(answered_by, ''), metric, histogram_bucket(ms), count(*), sum(ms)
from sessions cross join lateral (values
  ('ring', greatest(0, round(extract(epoch from coalesce(started_at, ended_at) - created_at) * 1000))::bigint),
  ('talk', case when started_at is not null then round(duration * 1000)::bigint end)
) as measured (metric, ms)
where call_status is not null and ended_at is not null and erased_at is null and ms is not null
group by 1, 2, 3, 4, 5, 6, 7, 8;
