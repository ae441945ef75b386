-- What is dropped goes last: nobody may read its table from then on to the end.
-- Reports name the agents that are deleted too, and an erasure locks them.
create index agents_of_user on agents (user_id, id desc);

-- Of sessions that have not ended, for lists and for the limit on calls; it holds no more than those. A list of the failed ones, which
-- are few, would otherwise read all sessions of their user.
create index sessions_open_of_user on sessions (user_id, id desc) where status in ('CREATED', 'ACTIVE');

create index sessions_failed_by_user on sessions (user_id, id desc) where status = 'FAILED';

-- The same for callbacks that were given up.
create index callbacks_failed_by_user on callbacks (user_id, id desc) where status = 'failed';

-- For erasures.
create index api_keys_by_user on api_keys (user_id) where user_id is not null;

drop index agents_by_user;

drop index sessions_open_by_user;

alter index agents_of_user rename to agents_by_user;

alter index sessions_open_of_user rename to sessions_open_by_user;
