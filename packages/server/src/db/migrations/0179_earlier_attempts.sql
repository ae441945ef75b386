-- The attempts before the last redelivery, after which the pauses between attempts begin anew.
alter table callbacks add column earlier_attempts integer not null default 0;
