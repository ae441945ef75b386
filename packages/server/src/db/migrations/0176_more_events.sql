-- The percentage of the quota that a user was last found to have reached, 0 below the first threshold: each is reported when it is crossed.
alter table stored_bytes add column reported smallint not null default 0;

-- Events with keys that were pressed in calls are deleted with what was said. A process of an earlier release uses this index, too.
create index callbacks_telling_by_age on callbacks (id)
  where type in ('call.report', 'call.analyzed', 'call.digits') and status != 'pending';

drop index callbacks_quoting_by_age;
