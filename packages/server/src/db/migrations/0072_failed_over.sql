-- An entry of the timeline may also say that a model took over from another one, with the state in which the session was then.
alter table session_events add column failed_over jsonb;
