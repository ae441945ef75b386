-- The trace that a callback belongs to: its delivery is a span of the request that caused it.
alter table callbacks add column traceparent text;
