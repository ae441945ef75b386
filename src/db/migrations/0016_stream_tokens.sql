-- What a browser shows to follow one call: it cannot send a key with an EventSource, and must not have one.
create table stream_tokens (
  token_hash text primary key,
  session_id uuid not null,
  user_id text not null,
  expires_at timestamptz(3) not null
);

create index stream_tokens_user on stream_tokens (user_id);

create index stream_tokens_expired on stream_tokens (expires_at);
