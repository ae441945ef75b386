-- Whether a budget counts the usage of test runs, beside that of calls.
alter table budgets add column count_tests boolean not null default false;
