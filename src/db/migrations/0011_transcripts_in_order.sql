-- Transcripts are listed by their number, as the feed tells them; those of before the numbers by id. One index for both: here only
-- those wait who write transcripts. What is dropped goes last.
create index transcripts_in_order on transcripts (session_id, seq, id);

drop index transcripts_by_session;

drop index transcripts_by_seq;
