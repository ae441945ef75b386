-- Each deletion of sessions raises their version by itself: replicas of an earlier release do not, nor does a person.
-- The rollups are locked first, because all who write these tables do so: in another order, one could deadlock.
lock table usage_rollups in share row exclusive mode;

create function raise_agent_session_version() returns trigger language plpgsql as
$$
begin
  -- A writer of events must end before, or begin after and see the new version. TRUNCATE blocks it by its own lock; to
  -- wait here for one that waits for that lock would be a deadlock.
  if tg_op = 'DELETE' then
    lock table usage_rollups in share row exclusive mode;
  end if;
  update usage_agent_session_version set version = version + 1;
  return null;
end
$$;

create trigger raise_version before delete or truncate on usage_agent_sessions
for each statement execute function raise_agent_session_version();

