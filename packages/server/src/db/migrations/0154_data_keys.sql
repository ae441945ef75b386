-- The keys of users that encrypt their audio, each encrypted with SECRETS_KEY. A few bytes a user: not counted as stored.
create table data_keys (
  user_id text primary key,
  id uuid not null unique,
  secret text not null,
  created_at timestamptz(3) not null
);
