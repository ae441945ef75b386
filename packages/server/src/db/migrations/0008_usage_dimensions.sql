-- Models, the direction of the line, events without a price, and entries that price or correct earlier ones.
-- An event stays as it was logged: an adjusting entry adds what it lacked, and counts for the day of the adjusted event.
alter table usage_events
  add column model text,
  add column direction text check (direction in ('INBOUND', 'OUTBOUND', 'WEB')),
  add column is_unpriced boolean not null default false,
  add column adjusts uuid,
  add column used_on date,
  -- An adjusting entry that gives its event the price that it was logged without.
  add column is_pricing boolean not null default false,
  drop constraint usage_events_event_type_check,
  add constraint usage_events_event_type_check check (event_type in (
    'stt_minutes', 'llm_tokens', 'tts_characters', 'telephony_minutes', 'media_minutes',
    'llm_input_tokens', 'llm_output_tokens', 'llm_cached_tokens'
  )),
  add constraint usage_events_unpriced check (not is_unpriced or (unit_cost = 0 and total_cost = 0 and adjusts is null)),
  add constraint usage_events_adjusting check ((adjusts is null) = (used_on is null) and (adjusts is not null or not is_pricing));

-- These hold few events or none: what is logged with its price is in none of them.
create index usage_events_without_price on usage_events (id) where is_unpriced;

create index usage_events_adjusted on usage_events (adjusts) where adjusts is not null;

create index usage_events_adjusting_in_order on usage_events (id) where used_on is not null;

create index usage_events_adjusting_by_user on usage_events (user_id, created_at, id) where used_on is not null;

-- An event without a model or a direction has ''. recorded_on is the day of created_at, so that a report can leave out
-- what was logged after a day; day is used_on where there is one. unpriced: events without a price, less those priced later.
alter table usage_rollups
  add column model text not null default '',
  add column direction text not null default '',
  add column recorded_on date,
  add column unpriced bigint not null default 0;

-- Writes the table anew, where an update would leave as many dead rows.
alter table usage_rollups alter column recorded_on type date using day;

alter table usage_rollups
  alter column recorded_on set not null,
  drop constraint usage_rollups_pkey,
  add primary key (user_id, day, agent_id, provider, event_type, model, direction, recorded_on);

-- Reports on all users.
create index usage_rollups_by_day on usage_rollups (day);

create index usage_rollups_adjusting on usage_rollups (user_id, recorded_on) where recorded_on <> day;

create index usage_rollups_unpriced on usage_rollups (user_id, day) where unpriced <> 0;
