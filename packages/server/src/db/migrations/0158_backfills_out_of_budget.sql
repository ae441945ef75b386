-- A backfill waits while the budget of its user is spent.
alter table analysis_backfills drop constraint analysis_backfills_state_check;

alter table analysis_backfills add constraint analysis_backfills_state_check
  check (state in ('running', 'out_of_budget', 'done', 'canceled'));

drop index analysis_backfills_open;

create index analysis_backfills_open on analysis_backfills (user_id) where state in ('running', 'out_of_budget');
