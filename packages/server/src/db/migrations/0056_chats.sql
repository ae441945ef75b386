-- Conversations in writing. The session has the rest: its transcript, its costs, its agent.
create table chats (
  session_id uuid primary key references sessions (id),
  -- How many messages both sides have sent, which are limited.
  messages integer not null default 0
);
