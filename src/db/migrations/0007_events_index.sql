-- Apart from the columns, whose tables nobody may read meanwhile: here only those wait who write transcripts.
create index transcripts_by_seq on transcripts (session_id, seq) where seq > 0;
