-- The report of a call is inserted without a body by the change that ends the call, and due at next_attempt_at.
alter table callbacks
  alter column payload drop not null,
  add constraint callbacks_body check (payload is not null or send_at is null);

-- One report of a call for each destination.
create unique index callbacks_one_report on callbacks (session_id, endpoint_id) nulls not distinct where type = 'call.report';

create index callbacks_reports_due on callbacks (next_attempt_at) where status = 'pending' and payload is null;

-- Reports hold transcripts, and are deleted at their age.
create index callbacks_reports_by_age on callbacks (id) where type = 'call.report' and status != 'pending';

-- Asked for each change of a session: whether its user has any.
create index webhook_endpoints_active on webhook_endpoints (user_id) where is_active;
