-- What happens in a session is numbered, in the order it was committed, so that whoever follows it can go on from a number.
-- What was there before keeps 0 and is not told.
alter table sessions add column last_event bigint not null default 0;

alter table session_events add column seq bigint not null default 0;

alter table transcripts add column seq bigint not null default 0;
