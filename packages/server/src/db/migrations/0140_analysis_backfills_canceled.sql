-- A backfill can be canceled.
alter table analysis_backfills drop constraint analysis_backfills_state_check;

alter table analysis_backfills add constraint analysis_backfills_state_check check (state in ('running', 'done', 'canceled'));

-- The part of the statistics whose values are deleted at the age of their calls: the rest can be counted anew.
alter table analysis_rollups add column gone_calls bigint not null default 0;

alter table analysis_rollups add column gone_total numeric not null default 0;

update analysis_rollups set gone_calls = calls, gone_total = total;

update analysis_rollups as rollup set gone_calls = gone_calls - fact.calls, gone_total = gone_total - fact.total
from (
  select found.user_id, field, (created_at at time zone 'UTC')::date as day, coalesce(agent_id::text, '') as agent_id,
    coalesce(agent_version, 0) as agent_version, extractor, counted_as as value, count(*) as calls,
    sum(number::text::numeric) as total
  from analysis_values as found join sessions on sessions.id = session_id
  where counted_as is not null
  group by 1, 2, 3, 4, 5, 6, 7
) as fact
where rollup.user_id = fact.user_id and rollup.field = fact.field and rollup.day = fact.day
  and rollup.agent_id = fact.agent_id and rollup.agent_version = fact.agent_version and rollup.extractor = fact.extractor
  and rollup.value = fact.value;
