-- Entries of the audit log say how it went and what changed, and are chained by hashes: see docs/audit.md.
alter table audit_log
  add column actor_name text,
  add column actor_user_id text,
  add column outcome text not null default 'succeeded' check (outcome in ('succeeded', 'refused', 'failed')),
  add column count integer not null default 1 check (count > 0),
  -- JSON texts rather than jsonb: the digest is that of the text.
  add column before text,
  add column after text,
  -- Null until the entry is sealed.
  add column seq bigint,
  add column salt text,
  add column digest text,
  add column hash text;

create unique index audit_log_by_seq on audit_log (seq) where seq is not null;

create index audit_log_unsealed on audit_log (id) where seq is null;

create index audit_log_by_action on audit_log (action, id);

create index audit_log_by_actor on audit_log (actor, id);

create index audit_log_by_target on audit_log (target, id);

create index audit_log_by_outcome on audit_log (outcome, id);

create index audit_log_by_actor_user on audit_log (actor_user_id) where actor_user_id is not null;

drop index audit_log_by_user;

create index audit_log_by_user on audit_log (user_id, id) where user_id is not null;

-- One row: the last entry that the retention deleted, and the last one that was sealed.
create table audit_chain (first_seq bigint not null, first_hash text not null, last_seq bigint not null, last_hash text not null);

insert into audit_chain values (0, '', 0, '');

-- An erasure replaces the ids of its user; what else is personal goes with them, and the salt, without which nobody can
-- guess what the digest was of. A trigger, because replicas of an earlier release replace the id alone.
create function blank_audit_entry() returns trigger language plpgsql as
$$
begin
  new.ip := null;
  new.actor_name := null;
  new.detail := null;
  new.before := null;
  new.after := null;
  new.salt := null;
  return new;
end
$$;

create trigger blank_erased before update of user_id, actor_user_id on audit_log
for each row when (old.user_id is distinct from new.user_id or old.actor_user_id is distinct from new.actor_user_id)
execute function blank_audit_entry();

-- Who signed in at the OpenID provider, as people know them.
alter table console_sessions add column label text;
