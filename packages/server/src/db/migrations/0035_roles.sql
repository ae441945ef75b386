alter table api_keys drop constraint api_keys_role_check;

alter table api_keys add constraint api_keys_role_check
  check (role in ('viewer', 'supervisor', 'user', 'worker', 'service', 'admin'));

alter table api_keys drop constraint api_keys_check;

-- A viewer or supervisor is bound to a user, or covers all.
alter table api_keys add constraint api_keys_user_check check (
  case when role = 'user' then user_id is not null
    when role in ('viewer', 'supervisor') then true
    else user_id is null end
);

-- Tags of the operations that the key is limited to; null for all.
alter table api_keys add column scopes text[];

-- Anybody could create such keys: earlier releases did so in open mode.
alter table api_keys add column made_in_open_mode boolean not null default false;

update api_keys set made_in_open_mode = true where 'api_key/' || id in (
  select target from audit_log where action = 'key.created' and actor = 'open'
);

alter table console_sessions drop constraint console_sessions_role_check;

alter table console_sessions add constraint console_sessions_role_check
  check (role in ('viewer', 'supervisor', 'user', 'service', 'admin'));

-- The OpenID provider's `sub`; null for a sign-in by key.
alter table console_sessions add column subject text;

update console_sessions set subject = user_id where key_id is null;

create index console_sessions_by_key on console_sessions (key_id) where key_id is not null;

create index console_sessions_by_subject on console_sessions (subject) where subject is not null;

-- The console sign-in that asked for the token, if any: the token ends with it.
alter table stream_tokens add column sign_in text references console_sessions (token_hash) on delete cascade;

create index stream_tokens_by_sign_in on stream_tokens (sign_in) where sign_in is not null;
