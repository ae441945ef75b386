-- Sign-ins of the console in browsers. Tokens themselves are not kept, only their SHA-256.
create table console_sessions (
  token_hash text primary key,
  -- The key that was shown: the session ends when it is revoked.
  key_id uuid not null,
  role text not null check (role in ('service', 'user')),
  user_id text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

create index console_sessions_expired on console_sessions (expires_at);

create index console_sessions_by_user on console_sessions (user_id) where user_id is not null;
