-- How long the agent had spoken when the caller began to speak; null if it was silent. Tests that are made of the call interrupt it, too.
alter table turns add column interrupted_after_ms integer;
