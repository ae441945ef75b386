-- What a call carries besides its numbers: given with it, passed on to the agent's worker.
alter table sessions
  add column variables jsonb,
  add column metadata jsonb,
  -- The number of ours: the one that the callee is shown, or that the caller has called. Null: the trunk's.
  add column our_number text,
  add column ringing_timeout_s integer,
  add column max_duration_s integer;
