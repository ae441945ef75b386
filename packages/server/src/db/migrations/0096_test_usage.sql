-- The usage of models in test runs, apart from that of calls: the ledger, budgets and statistics do not know it. The columns of usage_rollups,
-- so that reports can read either.
create table test_usage_rollups (
  user_id text not null,
  day date not null,
  agent_id text not null,
  provider text not null,
  event_type text not null,
  model text not null,
  direction text not null default '',
  recorded_on date not null,
  agent_version integer not null,
  quantity numeric not null,
  total_cost numeric not null,
  -- Results of scenarios, each with what all its conversations have used.
  events bigint not null,
  unpriced bigint not null,
  primary key (user_id, day, agent_id, provider, event_type, model, agent_version)
);
