-- A call in a browser has a call_status and no call_direction, whose values are fixed.
alter table sessions
  drop constraint sessions_check,
  add constraint sessions_direction check (call_direction is null or call_status is not null),
  -- When the agent's worker was called into the room of a browser, by a request for a call or for a token.
  add column dispatched_at timestamptz(3);
