-- A name of its user's choice, by which files and scripts refer to an agent.
alter table agents add column external_key text;

create unique index agents_external_key on agents (user_id, external_key)
  where external_key is not null and deleted_at is null;
