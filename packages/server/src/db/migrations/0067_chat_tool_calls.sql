-- The calls of tools of each answer in a chat: the agent knows them in later turns, and a fork gets copies. They are not counted as stored:
-- workers report them, each chat has a limited number of bytes of them, and they are kept for as long as a chat can last.
create table chat_tool_calls (
  session_id uuid not null references sessions (id),
  -- The answer in the transcript.
  message_id uuid not null,
  calls jsonb not null,
  primary key (session_id, message_id)
);

-- Why the last message has got no answer, for the user; null while none is known.
alter table chats add column failure text;
