-- Suppressions that have expired are deleted some time later, as those that were removed are.
create index expired_suppressions on suppressions (expires_at) where deleted_at is null and expires_at is not null;
