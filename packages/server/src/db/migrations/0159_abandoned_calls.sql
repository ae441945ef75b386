-- How many people answered the calls of a campaign on a day (UTC), and to how many of them no agent came in time.
create table campaign_days (
  campaign_id uuid not null references campaigns (id) on delete cascade,
  day date not null,
  answered integer not null,
  abandoned integer not null,
  primary key (campaign_id, day)
);

-- JSON: what its policy allows of that, and what there was at its last turn. Null without such a rule.
alter table campaigns add column abandonment text;
