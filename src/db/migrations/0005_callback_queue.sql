-- When a process may take the callback to send it. Whoever takes it moves this ahead, so that another takes over if it dies.
-- Null: nothing is to be sent, or the release before has queued it as a job.
alter table callbacks add column send_at timestamptz(3);

-- The host and port of the receiver, so that one that hangs is passed over.
alter table callbacks add column host text;

create index callbacks_to_send on callbacks (host, send_at) where status = 'pending' and send_at is not null;
