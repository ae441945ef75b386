-- What is reserved for each open call: so much a minute, for so many minutes. Null: what the month's calls cost on
-- average; null: the maximum duration of the call.
alter table budgets add column cost_per_minute numeric check (cost_per_minute >= 0);

alter table budgets add column expected_minutes integer check (expected_minutes > 0);
