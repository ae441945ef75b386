-- What a call reads of its agent is kept as a version, which never changes; a release says which versions calls get.

-- Equal for equal content, whatever the order of the fields of the configuration.
create function agent_content_hash(name text, description text, type text, config jsonb) returns text language sql immutable as
$$ select encode(sha256(convert_to(
     length(name) || ':' || name || coalesce(length(description) || ':' || description, '-') || type || ':' || config::text, 'UTF8'
   )), 'hex') $$;

create function agent_content_bytes(name text, description text, config jsonb) returns integer language sql immutable as
$$ select octet_length(name) + coalesce(octet_length(description), 0) + octet_length(config::text) $$;

create table agent_versions (
  agent_id uuid not null references agents (id),
  number integer not null check (number > 0),
  user_id text not null,
  name text not null,
  description text,
  type text not null,
  config jsonb not null,
  hash text not null generated always as (agent_content_hash(name, description, type, config)) stored,
  size_bytes integer not null generated always as (500 + agent_content_bytes(name, description, config)) stored,
  note text,
  created_by text not null,
  -- The user whose own key or token it was; for erasures.
  created_by_user text,
  created_at timestamptz(3) not null,
  -- When it was first released; null: never.
  released_at timestamptz(3),
  primary key (agent_id, number)
);

-- The same content is the same version.
create unique index agent_versions_by_content on agent_versions (agent_id, hash);

create index agent_versions_by_user on agent_versions (user_id);

create index agent_versions_by_creator on agent_versions (created_by_user) where created_by_user is not null;

create table agent_releases (
  agent_id uuid not null references agents (id),
  number integer not null check (number > 0),
  user_id text not null,
  -- [{"version": 1, "weight": 100}]
  arms jsonb not null,
  sticky_by text not null check (sticky_by in ('number', 'none')),
  -- The release that a rollback of this one returns to; null: none.
  previous integer,
  -- The release that a rollback has made this one of.
  repeats integer,
  created_by text not null,
  created_by_user text,
  created_at timestamptz(3) not null,
  primary key (agent_id, number)
);

create index agent_releases_by_user on agent_releases (user_id);

create index agent_releases_by_creator on agent_releases (created_by_user) where created_by_user is not null;

create table agent_drafts (
  agent_id uuid primary key references agents (id),
  user_id text not null,
  name text not null,
  description text,
  type text not null,
  config jsonb not null,
  hash text not null generated always as (agent_content_hash(name, description, type, config)) stored,
  size_bytes integer not null generated always as (500 + agent_content_bytes(name, description, config)) stored,
  -- The version that calls got when the draft was begun.
  based_on integer not null,
  updated_by text not null,
  updated_by_user text,
  updated_at timestamptz(3) not null
);

create index agent_drafts_by_user on agent_drafts (user_id);

create index agent_drafts_by_editor on agent_drafts (updated_by_user) where updated_by_user is not null;

-- Which version the row has the content of: the one that calls get, or that most of them get. Null: it was written by a replica of an
-- earlier release, and becomes a version with the next change.
alter table agents
  add column version integer,
  -- The arms of a release of several versions; null: calls get what is in the row.
  add column arms jsonb,
  add column sticky_by text not null default 'none' check (sticky_by in ('number', 'none')),
  add column publishing text not null default 'direct' check (publishing in ('direct', 'gated'));

alter table sessions add column agent_version integer;

-- How much versions, drafts and releases add to what is stored for a user.
create view stored_agent_content as
  select user_id, size_bytes as bytes from agent_versions
  union all select user_id, size_bytes from agent_drafts
  union all select user_id, 300 from agent_releases;

create or replace view stored_content as
  select user_id, session_bytes(session_data_bytes, variables, metadata) as bytes from sessions where erased_at is null
  union all
  select sessions.user_id, transcript_bytes(content) from transcripts join sessions on sessions.id = session_id
  where sessions.erased_at is null
  union all select user_id, 500 + size_bytes from agents
  union all select user_id, callback_bytes(url, payload) from callbacks
  union all select user_id, answer_bytes(answer) from idempotency_keys where user_id is not null
  union all select user_id, audit_bytes(detail) from audit_log where user_id is not null
  union all select user_id, bytes from stored_agent_content;

create function count_new_agent_content() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, sum(size_bytes), sum(size_bytes) from added group by user_id;
  return null;
end
$$;

create function count_deleted_agent_content() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, -sum(size_bytes), 0 from removed group by user_id;
  return null;
end
$$;

create trigger count_bytes_added after insert on agent_versions referencing new table as added
for each statement execute function count_new_agent_content();

create trigger count_bytes_removed after delete on agent_versions referencing old table as removed
for each statement execute function count_deleted_agent_content();

create trigger count_bytes_added after insert on agent_drafts referencing new table as added
for each statement execute function count_new_agent_content();

create trigger count_bytes_removed after delete on agent_drafts referencing old table as removed
for each statement execute function count_deleted_agent_content();

create function count_changed_draft() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written) values (new.user_id, new.size_bytes - old.size_bytes, new.size_bytes);
  return null;
end
$$;

create trigger count_bytes_changed after update of name, description, config on agent_drafts
for each row execute function count_changed_draft();

create function count_new_releases() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written) select user_id, 300 * count(*), 300 * count(*) from added group by user_id;
  return null;
end
$$;

create function count_deleted_releases() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written) select user_id, -300 * count(*), 0 from removed group by user_id;
  return null;
end
$$;

create trigger count_bytes_added after insert on agent_releases referencing new table as added
for each statement execute function count_new_releases();

create trigger count_bytes_removed after delete on agent_releases referencing old table as removed
for each statement execute function count_deleted_releases();

-- Every agent there is becomes its own version 1, which all calls get.
insert into agent_versions (agent_id, number, user_id, name, description, type, config, created_by, created_at, released_at)
select id, 1, user_id, name, description, type, config, 'upgrade', now(), now() from agents where deleted_at is null;

insert into agent_releases (agent_id, number, user_id, arms, sticky_by, created_by, created_at)
select id, 1, user_id, '[{"version": 1, "weight": 100}]', 'none', 'upgrade', now() from agents where deleted_at is null;

update agents set version = 1 where deleted_at is null;

-- A replica of an earlier release changes an agent and knows no versions: calls get the new content, and no version's number with it.
create function forget_agent_version() returns trigger language plpgsql as
$$
begin
  if new.version is not distinct from old.version
    and (new.name, new.description, new.type, new.config) is distinct from (old.name, old.description, old.type, old.config)
  then
    new.version := null;
    new.arms := null;
  end if;
  return new;
end
$$;

create trigger forget_version before update of name, description, type, config on agents
for each row execute function forget_agent_version();
