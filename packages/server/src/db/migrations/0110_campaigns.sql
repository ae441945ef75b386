-- Lists of people who are called by an agent, one after the other.
create table campaigns (
  id uuid primary key,
  user_id text not null,
  name text not null,
  agent_id uuid not null,
  agent_version integer,
  state text not null check (state in ('draft', 'running', 'paused', 'completed', 'canceled')),
  -- JSON: the rest of what its user has set.
  settings text not null,
  budget numeric,
  expires_at timestamptz(3),
  -- Why a running one dials nobody.
  blocked text check (blocked in ('agent', 'budget', 'capacity', 'circuit', 'disabled', 'number', 'policy', 'window')),
  blocked_until timestamptz(3),
  -- When a dialler looks at it next; null: there is nothing to do. A dialler locks its row meanwhile.
  turn_at timestamptz(3),
  -- From when on the next call is within `per_minute`.
  next_slot_at timestamptz(3),
  -- Recipients are being added: until then it is not complete, even if nobody is left to be dialled.
  filling_until timestamptz(3),
  -- What its calls have cost so far.
  spent numeric not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- It is deleted, in parts.
  deleted_at timestamptz(3)
);

create index campaigns_by_user on campaigns (user_id, id) where deleted_at is null;

create index campaigns_of_user on campaigns (user_id);

create index campaign_turns on campaigns (turn_at) where turn_at is not null;

create table campaign_recipients (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  user_id text not null,
  external_id text not null,
  phone_number text not null,
  -- JSON, or null.
  variables text,
  metadata text,
  time_zone text,
  region text,
  state text not null check (state in ('waiting', 'deferred', 'dialling', 'connected', 'reached', 'exhausted', 'suppressed',
    'refused', 'expired', 'canceled')),
  -- The outcome, or the rule, that led to the state.
  reason text,
  attempts integer not null default 0,
  -- The last decision that did not let it be dialled.
  decision_id uuid,
  -- When it may be dialled next; null unless it waits.
  next_at timestamptz(3),
  created_at timestamptz(3) not null,
  finished_at timestamptz(3)
);

create unique index campaign_recipients_by_external_id on campaign_recipients (campaign_id, external_id);

create index campaign_recipients_in_order on campaign_recipients (campaign_id, id);

create index campaign_recipients_by_state on campaign_recipients (campaign_id, state, id);

-- Those to be dialled, the longest waiting first.
create index campaign_queue on campaign_recipients (campaign_id, next_at) where state in ('waiting', 'deferred');

-- Made in the transaction that places the call.
create table campaign_attempts (
  recipient_id uuid not null references campaign_recipients (id) on delete cascade,
  attempt integer not null,
  campaign_id uuid not null,
  call_id uuid not null,
  decision_id uuid,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- Null until the call has ended.
  outcome text check (outcome in ('answered', 'voicemail', 'ivr', 'busy', 'no_answer', 'declined', 'unavailable', 'invalid_number',
    'failed', 'abandoned', 'interrupted', 'canceled')),
  cost numeric not null default 0,
  -- How often it has been read.
  cost_reads smallint not null default 0,
  -- When the cost is read again, for usage that is reported late.
  cost_due_at timestamptz(3),
  primary key (recipient_id, attempt)
);

create index campaign_attempts_open on campaign_attempts (campaign_id) where outcome is null;

create index campaign_attempts_ended on campaign_attempts (campaign_id, ended_at) where outcome is not null;

create index campaign_attempts_costs on campaign_attempts (campaign_id, cost_due_at) where cost_due_at is not null;

-- How many recipients of a campaign are in a state, and how many of its attempts had an outcome (`open` without one).
create table campaign_counts (
  campaign_id uuid not null references campaigns (id) on delete cascade,
  kind text not null check (kind in ('recipients', 'attempts')),
  name text not null,
  count bigint not null,
  primary key (campaign_id, kind, name)
);

-- In the order of the key: transactions that change the same counters would deadlock.
create function add_campaign_counts(counted text, campaigns uuid[], names text[], signs integer[]) returns void language sql as
$$
  insert into campaign_counts (campaign_id, kind, name, count)
  select campaign_id, counted, name, sum(sign) from unnest(campaigns, names, signs) as change (campaign_id, name, sign)
  -- Of a campaign that is being deleted with them, nothing is counted.
  where exists (select from campaigns as known where known.id = change.campaign_id)
  group by campaign_id, name having sum(sign) <> 0 order by campaign_id, name
  on conflict (campaign_id, kind, name) do update set count = campaign_counts.count + excluded.count
$$;

create function count_recipients_added() returns trigger language plpgsql as
$$
begin
  perform add_campaign_counts('recipients', array_agg(campaign_id), array_agg(state), array_agg(1)) from added having count(*) > 0;
  return null;
end
$$;

create function count_recipients_changed() returns trigger language plpgsql as
$$
begin
  perform add_campaign_counts('recipients', array_agg(campaign_id), array_agg(state), array_agg(sign)) from (
    select campaign_id, state, -1 as sign from before union all select campaign_id, state, 1 from after
  ) as changed having count(*) > 0;
  return null;
end
$$;

create function count_recipients_removed() returns trigger language plpgsql as
$$
begin
  perform add_campaign_counts('recipients', array_agg(campaign_id), array_agg(state), array_agg(-1)) from removed having count(*) > 0;
  return null;
end
$$;

create trigger count_added after insert on campaign_recipients referencing new table as added
for each statement execute function count_recipients_added();

create trigger count_changed after update on campaign_recipients referencing old table as before new table as after
for each statement execute function count_recipients_changed();

create trigger count_removed after delete on campaign_recipients referencing old table as removed
for each statement execute function count_recipients_removed();

create function count_attempts_added() returns trigger language plpgsql as
$$
begin
  perform add_campaign_counts('attempts', array_agg(campaign_id), array_agg(coalesce(outcome, 'open')), array_agg(1)) from added
  having count(*) > 0;
  return null;
end
$$;

create function count_attempts_changed() returns trigger language plpgsql as
$$
begin
  perform add_campaign_counts('attempts', array_agg(campaign_id), array_agg(coalesce(outcome, 'open')), array_agg(sign)) from (
    select campaign_id, outcome, -1 as sign from before union all select campaign_id, outcome, 1 from after
  ) as changed having count(*) > 0;
  return null;
end
$$;

create function count_attempts_removed() returns trigger language plpgsql as
$$
begin
  perform add_campaign_counts('attempts', array_agg(campaign_id), array_agg(coalesce(outcome, 'open')), array_agg(-1)) from removed
  having count(*) > 0;
  return null;
end
$$;

create trigger count_added after insert on campaign_attempts referencing new table as added
for each statement execute function count_attempts_added();

create trigger count_changed after update on campaign_attempts referencing old table as before new table as after
for each statement execute function count_attempts_changed();

create trigger count_removed after delete on campaign_attempts referencing old table as removed
for each statement execute function count_attempts_removed();

-- What users store, counted as 0091 counts the rest. A recipient has up to ten attempts.
create function recipient_bytes(external_id text, variables text, metadata text) returns integer immutable language sql as
$$ select 900 + octet_length(external_id) + coalesce(octet_length(variables), 0) + coalesce(octet_length(metadata), 0) $$;

create or replace view stored_outreach as
  select user_id, 400 as bytes from suppressions where user_id is not null
  union all select user_id, consent_bytes(text, evidence_url) from consents
  union all select user_id, decision_bytes(inputs, reasons) from dial_decisions
  union all select user_id, 200 + octet_length(rules) from dial_policy_versions
  union all select user_id, 500 + octet_length(settings) from campaigns
  union all select user_id, recipient_bytes(external_id, variables, metadata) from campaign_recipients;

create trigger count_bytes_added after insert on campaigns referencing new table as added
for each statement execute function count_outreach_added('500 + octet_length(settings)');

create trigger count_bytes_removed after delete on campaigns referencing old table as removed
for each statement execute function count_outreach_removed('500 + octet_length(settings)');

create function count_settings_changed() returns trigger language plpgsql as
$$
declare
  more integer := octet_length(new.settings) - octet_length(old.settings);
begin
  insert into storage_changes (user_id, bytes, written) values (new.user_id, more, greatest(more, 0));
  return null;
end
$$;

-- Of each row: turns, which change no settings, do without it.
create trigger count_bytes_changed after update of settings on campaigns
for each row when (octet_length(old.settings) <> octet_length(new.settings)) execute function count_settings_changed();

create trigger count_bytes_added after insert on campaign_recipients referencing new table as added
for each statement execute function count_outreach_added('recipient_bytes(external_id, variables, metadata)');

create trigger count_bytes_removed after delete on campaign_recipients referencing old table as removed
for each statement execute function count_outreach_removed('recipient_bytes(external_id, variables, metadata)');
