-- Users share receivers' hosts: what waits is looked through by host and user, so that one user's receiver holds up no other's.
create index callbacks_by_lane on callbacks (host, user_id, send_at) where status = 'pending' and send_at is not null;

drop index callbacks_to_send;

alter index callbacks_by_lane rename to callbacks_to_send;
