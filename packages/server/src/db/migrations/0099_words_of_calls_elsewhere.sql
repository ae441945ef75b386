-- Finds what quotes a call once its words are deleted.
create index test_replays_by_call on test_replays (call_id);

create index callbacks_quoting_by_age on callbacks (id)
  where type in ('call.report', 'call.analyzed') and status != 'pending';

drop index callbacks_reports_by_age;
