-- Which transaction has written a row of what happens: a stream over all calls goes on from the transactions that it has seen.
-- Rows of before have 0, and are not streamed. Writers do not name the column. See docs/adr/0018.
alter table session_events add column tx bigint not null default 0;

alter table session_events alter column tx set default txid_current();

alter table transcripts add column tx bigint not null default 0;

alter table transcripts alter column tx set default txid_current();

alter table usage_events add column tx bigint not null default 0;

alter table usage_events alter column tx set default txid_current();

alter table callback_attempts add column tx bigint not null default 0;

alter table callback_attempts alter column tx set default txid_current();

create index session_events_by_tx on session_events (tx);

create index transcripts_by_tx on transcripts (tx);

create index usage_events_by_tx on usage_events (tx);

create index callback_attempts_by_tx on callback_attempts (tx);

-- A token without a session opens the stream of all calls of its user.
alter table stream_tokens alter column session_id drop not null;
