-- Counts calls of tools as what a user has stored, as 0032 counts transcripts: workers report them, but the user's own functions decide how
-- long their results are.
create function tool_call_bytes(name text, content text) returns integer immutable language sql as
$$ select 200 + octet_length(name) + octet_length(content) $$;

create function chat_tool_bytes(calls jsonb) returns integer immutable language sql as
$$ select 100 + octet_length(calls::text) $$;

create view stored_tool_calls as
  select sessions.user_id, tool_call_bytes(name, content) as bytes
  from tool_calls join sessions on sessions.id = session_id where erased_at is null
  union all
  select sessions.user_id, chat_tool_bytes(calls)
  from chat_tool_calls join sessions on sessions.id = session_id where erased_at is null;

create or replace view stored_content as
  select user_id, session_bytes(session_data_bytes, variables, metadata) as bytes from sessions where erased_at is null
  union all
  select sessions.user_id, transcript_bytes(content) from transcripts join sessions on sessions.id = session_id
  where sessions.erased_at is null
  union all select user_id, 500 + size_bytes from agents
  union all select user_id, callback_bytes(url, payload) from callbacks
  union all select user_id, answer_bytes(answer) from idempotency_keys where user_id is not null
  union all select user_id, audit_bytes(detail) from audit_log where user_id is not null
  union all select user_id, bytes from stored_agent_content
  union all select user_id, bytes from stored_tests
  union all
  select user_id, bytes from recordings
  union all
  select user_id, size_bytes from extractor_versions
  union all
  select user_id, size_bytes from analyses
  union all
  select user_id, bytes from stored_outreach
  union all
  select user_id, bytes from stored_tool_calls;

create function count_tool_calls_added() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, sum(bytes), sum(bytes) from (
    select sessions.user_id, tool_call_bytes(name, content) as bytes from added join sessions on sessions.id = session_id
  ) as content group by user_id;
  return null;
end
$$;

create trigger count_bytes_added after insert on tool_calls referencing new table as added
for each statement execute function count_tool_calls_added();

create function count_tool_calls_removed() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, -sum(bytes), 0 from (
    select sessions.user_id, tool_call_bytes(name, content) as bytes from removed join sessions on sessions.id = session_id where erased_at is null
  ) as content group by user_id;
  return null;
end
$$;

create trigger count_bytes_removed after delete on tool_calls referencing old table as removed
for each statement execute function count_tool_calls_removed();

create function count_chat_tool_calls_added() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, sum(bytes), sum(bytes) from (
    select sessions.user_id, chat_tool_bytes(calls) as bytes from added join sessions on sessions.id = session_id
  ) as content group by user_id;
  return null;
end
$$;

create trigger count_bytes_added after insert on chat_tool_calls referencing new table as added
for each statement execute function count_chat_tool_calls_added();

create function count_chat_tool_calls_removed() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, -sum(bytes), 0 from (
    select sessions.user_id, chat_tool_bytes(calls) as bytes from removed join sessions on sessions.id = session_id where erased_at is null
  ) as content group by user_id;
  return null;
end
$$;

create trigger count_bytes_removed after delete on chat_tool_calls referencing old table as removed
for each statement execute function count_chat_tool_calls_removed();

-- Those of before this migration are counted with all that their users have stored.
update stored_bytes_progress set after_user = ''
where exists (select from tool_calls) or exists (select from chat_tool_calls);
