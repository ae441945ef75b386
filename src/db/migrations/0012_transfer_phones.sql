-- Transfers ring phones as calls do, and count as calls: so many phones, of this user, until then at the latest.
alter table transfers add column user_id text;

alter table transfers add column phones integer not null default 0;

alter table transfers add column counted_until timestamptz(3);

create index transfers_counted on transfers (user_id, counted_until) where phones > 0;
