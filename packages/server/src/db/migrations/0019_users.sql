-- For the list of users by the beginning of their ids.
create index agents_by_user_prefix on agents (user_id collate "C") where deleted_at is null;
