-- Costs, calls and latencies by version of the agent. 0: none, as for calls and events of before there were versions.
-- An event gets its version from its session when it is written, because sessions are deleted before the ledger is.
alter table usage_events add column agent_version integer;

alter table usage_rollups
  add column agent_version integer not null default 0,
  drop constraint usage_rollups_pkey,
  add primary key (user_id, day, agent_id, provider, event_type, model, direction, recorded_on, agent_version);

alter table call_rollups
  add column agent_version integer not null default 0,
  drop constraint call_rollups_pkey,
  add primary key (user_id, day, agent_id, direction, end_reason, answered_by, metric, bucket, agent_version);

alter table turn_rollups
  add column agent_version integer not null default 0,
  drop constraint turn_rollups_pkey,
  add primary key (user_id, day, agent_id, model, metric, bucket, agent_version);

-- Calls and turns that have a version already move to it: whatever is subtracted later is subtracted there.
with moved as (
  insert into call_rollups (user_id, day, agent_id, direction, end_reason, answered_by, metric, bucket, agent_version, calls, total_ms)
  select user_id, (created_at at time zone 'UTC')::date, coalesce(agent_id::text, ''), coalesce(call_direction, 'WEB'),
    coalesce(end_reason, ''), coalesce(answered_by, ''), metric, histogram_bucket(ms), agent_version, count(*), sum(ms)
  from sessions cross join lateral (values
    ('ring', greatest(0, round(extract(epoch from coalesce(started_at, ended_at) - created_at) * 1000))::bigint),
    ('talk', case when started_at is not null then round(duration * 1000)::bigint end)
  ) as measured (metric, ms)
  where agent_version is not null and call_status is not null and ended_at is not null and erased_at is null and ms is not null
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9
  returning *
), summed as (
  select user_id, day, agent_id, direction, end_reason, answered_by, metric, bucket, sum(calls) as calls, sum(total_ms) as total_ms
  from moved group by 1, 2, 3, 4, 5, 6, 7, 8
)
update call_rollups as rollup set calls = rollup.calls - summed.calls, total_ms = rollup.total_ms - summed.total_ms
from summed where rollup.agent_version = 0 and (
  rollup.user_id, rollup.day, rollup.agent_id, rollup.direction, rollup.end_reason, rollup.answered_by, rollup.metric, rollup.bucket
) = (
  summed.user_id, summed.day, summed.agent_id, summed.direction, summed.end_reason, summed.answered_by, summed.metric, summed.bucket
);

with moved as (
  insert into turn_rollups (user_id, day, agent_id, model, metric, bucket, agent_version, turns, total_ms)
  select user_id, (turns.created_at at time zone 'UTC')::date, agent_id::text, coalesce(model, ''), metric,
    histogram_bucket(ms), agent_version, count(*), sum(ms)
  from turns join sessions on sessions.id = turns.session_id cross join lateral (values
    ('transcript', transcript_ms::bigint), ('first_token', first_token_ms::bigint), ('first_audio', first_audio_ms::bigint)
  ) as latency (metric, ms)
  where agent_version is not null and agent_id is not null and erased_at is null and ms is not null
  group by 1, 2, 3, 4, 5, 6, 7
  returning *
), summed as (
  select user_id, day, agent_id, model, metric, bucket, sum(turns) as turns, sum(total_ms) as total_ms
  from moved group by 1, 2, 3, 4, 5, 6
)
update turn_rollups as rollup set turns = rollup.turns - summed.turns, total_ms = rollup.total_ms - summed.total_ms
from summed where rollup.agent_version = 0
  and (rollup.user_id, rollup.day, rollup.agent_id, rollup.model, rollup.metric, rollup.bucket)
    = (summed.user_id, summed.day, summed.agent_id, summed.model, summed.metric, summed.bucket);
