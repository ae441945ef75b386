-- When the sound of a line begins, which a recording is played from; null if its worker does not say.
alter table transcripts add column started_at timestamptz(3);
