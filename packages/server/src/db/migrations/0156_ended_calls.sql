-- The newest calls of a user that were answered and have ended, however many chats came between: what a call costs on average is read from these.
create index if not exists sessions_ended_calls on sessions (user_id, id desc) where call_status is not null and started_at is not null and ended_at is not null;
