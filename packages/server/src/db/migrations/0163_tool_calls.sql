-- The calls of tools in phone and browser calls, as workers report them: those of a chat are in chat_tool_calls. Not counted as stored: a
-- user's own key can add none, and each call has a limited number of bytes of them.
create table tool_calls (
  id uuid primary key,
  session_id uuid not null references sessions (id),
  -- That of the worker, so that one which is sent again is not there twice.
  call_id text not null,
  name text not null,
  -- JSON of the arguments and the result, encrypted like a transcript.
  content text not null,
  is_error boolean not null,
  called_at timestamptz(3) not null,
  unique (session_id, call_id)
);
