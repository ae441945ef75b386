-- The content of the versions that calls of an agent may get. A function, so that the statement that places calls is planned as if there
-- were none: it is called for agents with a split alone, and for calls that ask for a version.
create function agent_contents(agent uuid, arms jsonb, more integer[]) returns jsonb language plpgsql stable as
$$
begin
  return (
    select jsonb_object_agg(number, jsonb_build_object('name', name, 'config', config)) from agent_versions
    where agent_id = agent and number = any(more || array(
      select (arm ->> 'version')::integer from jsonb_array_elements(arms) as arm
    ))
  );
end
$$;
