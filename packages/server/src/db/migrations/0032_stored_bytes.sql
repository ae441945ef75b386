-- How much is stored for each user, for its quota: content as text, and a constant for each row and its index entries. Turns and usage
-- events are not counted, because a user's own key can add neither.
create function session_bytes(data_bytes integer, variables jsonb, metadata jsonb) returns integer language sql immutable as
$$ select 1000 + data_bytes + coalesce(octet_length(variables::text), 0) + coalesce(octet_length(metadata::text), 0) $$;

create function transcript_bytes(content text) returns integer language sql immutable as
$$ select 200 + octet_length(content) $$;

create function callback_bytes(url text, payload text) returns integer language sql immutable as
$$ select 500 + octet_length(url) + coalesce(octet_length(payload), 0) $$;

create function answer_bytes(answer jsonb) returns integer language sql immutable as
$$ select 300 + octet_length(answer::text) $$;

create function audit_bytes(detail text) returns integer language sql immutable as
$$ select 300 + coalesce(octet_length(detail), 0) $$;

create view stored_content as
  select user_id, session_bytes(session_data_bytes, variables, metadata) as bytes from sessions where erased_at is null
  union all
  select sessions.user_id, transcript_bytes(content) from transcripts join sessions on sessions.id = session_id
  where sessions.erased_at is null
  union all select user_id, 500 + size_bytes from agents
  union all select user_id, callback_bytes(url, payload) from callbacks
  union all select user_id, answer_bytes(answer) from idempotency_keys where user_id is not null
  union all select user_id, audit_bytes(detail) from audit_log where user_id is not null;

-- Rows are only added, in the transactions that write: a counter for each user would make those wait for each other, or deadlock.
-- They are added up in the background.
create table storage_changes (
  user_id text not null,
  -- Negative for what was deleted.
  bytes bigint not null,
  -- Bytes of the new versions of rows, whether or not they are more than the old ones.
  written bigint not null,
  at timestamptz not null default now()
);

create index storage_changes_by_user on storage_changes (user_id);

create table stored_bytes (user_id text primary key, bytes bigint not null);

-- One row: the user up to whom the data of before this migration is counted; null once all of it is.
create table stored_bytes_progress (after_user text);

insert into stored_bytes_progress
select case when exists (select from agents) or exists (select from sessions) or exists (select from audit_log) then '' end;

create function count_new_sessions() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, sum(bytes), sum(bytes)
  from (select user_id, session_bytes(session_data_bytes, variables, metadata) as bytes from added) as content group by user_id;
  return null;
end
$$;

create trigger count_bytes_added after insert on sessions referencing new table as added
for each statement execute function count_new_sessions();

-- An erasure sets erased_at and the user's pseudonym, for which nothing is counted.
create function count_changed_session() returns trigger language plpgsql as
$$
declare
  before integer := case when old.erased_at is null then session_bytes(old.session_data_bytes, old.variables, old.metadata) else 0 end;
  after integer := case when new.erased_at is null then session_bytes(new.session_data_bytes, new.variables, new.metadata) else 0 end;
begin
  insert into storage_changes (user_id, bytes, written) values (old.user_id, after - before, after);
  return null;
end
$$;

create trigger count_bytes_changed after update of session_data, erased_at on sessions
for each row execute function count_changed_session();

create function count_new_transcripts() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, sum(bytes), sum(bytes)
  from (
    select sessions.user_id, transcript_bytes(content) as bytes from added join sessions on sessions.id = session_id
  ) as content group by user_id;
  return null;
end
$$;

create trigger count_bytes_added after insert on transcripts referencing new table as added
for each statement execute function count_new_transcripts();

create function count_deleted_transcripts() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, -sum(transcript_bytes(content)), 0 from removed join sessions on sessions.id = session_id
  where erased_at is null group by user_id;
  return null;
end
$$;

create trigger count_bytes_removed after delete on transcripts referencing old table as removed
for each statement execute function count_deleted_transcripts();

create function count_agent() returns trigger language plpgsql as
$$
begin
  if tg_op = 'INSERT' then
    insert into storage_changes (user_id, bytes, written) values (new.user_id, 500 + new.size_bytes, 500 + new.size_bytes);
  else
    insert into storage_changes (user_id, bytes, written)
    values (old.user_id, new.size_bytes - old.size_bytes, 500 + new.size_bytes);
  end if;
  return null;
end
$$;

create trigger count_bytes after insert or update of name, description, config on agents
for each row execute function count_agent();

create function count_new_callbacks() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, sum(callback_bytes(url, payload)), sum(callback_bytes(url, payload)) from added group by user_id;
  return null;
end
$$;

create trigger count_bytes_added after insert on callbacks referencing new table as added
for each statement execute function count_new_callbacks();

create function count_changed_callback() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  values (new.user_id, callback_bytes(new.url, new.payload) - callback_bytes(old.url, old.payload), callback_bytes(new.url, new.payload));
  return null;
end
$$;

create trigger count_bytes_changed after update of payload on callbacks
for each row execute function count_changed_callback();

create function count_deleted_callbacks() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, -sum(callback_bytes(url, payload)), 0 from removed group by user_id;
  return null;
end
$$;

create trigger count_bytes_removed after delete on callbacks referencing old table as removed
for each statement execute function count_deleted_callbacks();

create function count_new_answers() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, sum(answer_bytes(answer)), sum(answer_bytes(answer)) from added where user_id is not null group by user_id;
  return null;
end
$$;

create trigger count_bytes_added after insert on idempotency_keys referencing new table as added
for each statement execute function count_new_answers();

create function count_changed_answer() returns trigger language plpgsql as
$$
begin
  if new.user_id is not null then
    insert into storage_changes (user_id, bytes, written)
    values (new.user_id, answer_bytes(new.answer) - answer_bytes(old.answer), answer_bytes(new.answer));
  end if;
  return null;
end
$$;

create trigger count_bytes_changed after update of answer on idempotency_keys
for each row execute function count_changed_answer();

create function count_deleted_answers() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, -sum(answer_bytes(answer)), 0 from removed where user_id is not null group by user_id;
  return null;
end
$$;

create trigger count_bytes_removed after delete on idempotency_keys referencing old table as removed
for each statement execute function count_deleted_answers();

-- An entry about an action of an operator adds to what is stored, and not to what the user writes.
create function count_new_audit_entries() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, sum(audit_bytes(detail)), 0 from added where user_id is not null group by user_id;
  return null;
end
$$;

create trigger count_bytes_added after insert on audit_log referencing new table as added
for each statement execute function count_new_audit_entries();
