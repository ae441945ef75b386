-- The key that a stream token was asked for with: a revoked key must not listen on through it. Null where there was none.
alter table stream_tokens add column key_id uuid;
