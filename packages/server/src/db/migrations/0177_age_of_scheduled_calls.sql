-- Scheduled calls that do not wait any more are deleted by the time of their end, which may be long after they were booked.
create index scheduled_calls_by_age on scheduled_calls (updated_at, id) where status <> 'SCHEDULED';
