-- Budgets of users, a month (UTC) each. A null limit limits nothing.
create table budgets (
  user_id text primary key,
  monthly_limit numeric check (monthly_limit >= 0),
  -- Percentages of the limit that are reported when they are reached.
  thresholds integer[] not null,
  refuse_calls boolean not null,
  end_calls boolean not null,
  updated_at timestamptz(3) not null
);

-- Thresholds that were reported: each once a month, by whichever process comes first.
create table budget_thresholds (
  user_id text not null,
  month date not null,
  percent integer not null,
  reached_at timestamptz(3) not null,
  primary key (user_id, month, percent)
);

-- An event of a user may belong to no session.
alter table callbacks alter column session_id drop not null;

create index callbacks_of_users on callbacks (user_id) where session_id is null;
