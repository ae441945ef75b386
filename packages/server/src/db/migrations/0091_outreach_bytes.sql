-- Counts what users store about whom they call, as 0032 counts the rest.
create function consent_bytes(said text, evidence_url text) returns integer immutable language sql as
$$ select 400 + octet_length(said) + coalesce(octet_length(evidence_url), 0) $$;

create function decision_bytes(inputs text, reasons text) returns integer immutable language sql as
$$ select 400 + octet_length(inputs) + octet_length(reasons) $$;

create view stored_outreach as
  select user_id, 400 as bytes from suppressions where user_id is not null
  union all select user_id, consent_bytes(text, evidence_url) from consents
  union all select user_id, decision_bytes(inputs, reasons) from dial_decisions
  union all select user_id, 200 + octet_length(rules) from dial_policy_versions;

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
  select user_id, bytes from stored_outreach;

-- `tg_argv[0]` is the size of a row.
create function count_outreach_added() returns trigger language plpgsql as
$$
begin
  execute format('insert into storage_changes (user_id, bytes, written)
    select user_id, sum(%1$s), sum(%1$s) from added where user_id is not null group by user_id', tg_argv[0]);
  return null;
end
$$;

create function count_outreach_removed() returns trigger language plpgsql as
$$
begin
  execute format('insert into storage_changes (user_id, bytes, written)
    select user_id, -sum(%1$s), 0 from removed where user_id is not null group by user_id', tg_argv[0]);
  return null;
end
$$;

create trigger count_bytes_added after insert on suppressions referencing new table as added
for each statement execute function count_outreach_added('400');

create trigger count_bytes_removed after delete on suppressions referencing old table as removed
for each statement execute function count_outreach_removed('400');

-- An erasure takes the user away, and a user who returns has it again.
create function count_suppressions_changed() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, sum(bytes), greatest(sum(bytes), 0) from (
    select user_id, -400 as bytes from before union all select user_id, 400 from after
  ) as changed
  where user_id is not null group by user_id having sum(bytes) <> 0;
  return null;
end
$$;

create trigger count_bytes_changed after update on suppressions referencing old table as before new table as after
for each statement execute function count_suppressions_changed();

create trigger count_bytes_added after insert on consents referencing new table as added
for each statement execute function count_outreach_added('consent_bytes(text, evidence_url)');

create trigger count_bytes_removed after delete on consents referencing old table as removed
for each statement execute function count_outreach_removed('consent_bytes(text, evidence_url)');

create trigger count_bytes_added after insert on dial_decisions referencing new table as added
for each statement execute function count_outreach_added('decision_bytes(inputs, reasons)');

create trigger count_bytes_removed after delete on dial_decisions referencing old table as removed
for each statement execute function count_outreach_removed('decision_bytes(inputs, reasons)');

create trigger count_bytes_added after insert on dial_policy_versions referencing new table as added
for each statement execute function count_outreach_added('200 + octet_length(rules)');

create trigger count_bytes_removed after delete on dial_policy_versions referencing old table as removed
for each statement execute function count_outreach_removed('200 + octet_length(rules)');
