-- Callbacks that were given up, or that were attempted and are pending: whoever looks for failing ones reads no others.
create index callbacks_failing_by_user on callbacks (user_id, id desc)
  where status = 'failed' or (status = 'pending' and attempts > 0);

create index callbacks_failing on callbacks (id desc) where status = 'failed' or (status = 'pending' and attempts > 0);

-- The deliveries of one webhook endpoint, newest first.
create index callbacks_of_webhook_endpoint on callbacks (endpoint_id, id desc) where endpoint_id is not null;

-- The one above finds the failed ones of a user too.
drop index callbacks_failed_by_user;
