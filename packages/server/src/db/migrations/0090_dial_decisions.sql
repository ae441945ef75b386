-- Who may be called, and what was decided about each attempt.
create table dial_policies (
  id uuid primary key,
  user_id text not null,
  name text not null,
  -- The newest; calls go by it.
  version integer not null,
  is_default boolean not null,
  created_at timestamptz(3) not null
);

create unique index dial_policies_by_name on dial_policies (user_id, name);

create unique index default_dial_policies on dial_policies (user_id) where is_default;

-- Never changed.
create table dial_policy_versions (
  policy_id uuid not null references dial_policies (id) on delete cascade,
  user_id text not null,
  version integer not null,
  rules text not null,
  created_at timestamptz(3) not null,
  primary key (policy_id, version)
);

-- The key of the hashes of numbers.
create table number_keys (
  is_only boolean primary key default true check (is_only),
  secret text not null
);

-- Numbers that are not called. An erasure leaves the hash, of the user and the number, so that the number stays blocked.
create table suppressions (
  id uuid primary key,
  user_id text,
  phone_number text,
  number_hash text not null,
  scope text not null check (scope in ('user', 'agent', 'campaign', 'purpose')),
  -- The agent, the campaign or the purpose; empty for `user`.
  scope_id text not null,
  reason text not null check (reason in ('asked', 'imported', 'registry', 'wrong_number')),
  expires_at timestamptz(3),
  call_id uuid,
  transcript_id uuid,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  -- Ascends with each change, in the order of commits of one user.
  change bigint not null
);

create sequence suppression_changes;

create unique index suppressions_by_number on suppressions (number_hash, scope, scope_id);

create index suppressions_by_user on suppressions (user_id, id) where deleted_at is null;

create index suppressions_by_phone on suppressions (user_id, phone_number);

create index suppressions_by_change on suppressions (user_id, change);

create index removed_suppressions on suppressions (deleted_at) where deleted_at is not null;

create table consents (
  id uuid primary key,
  user_id text not null,
  phone_number text not null,
  purpose text not null,
  kind text not null,
  text text not null,
  obtained_at timestamptz(3) not null,
  channel text not null,
  evidence_url text,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);

create index consents_by_number on consents (user_id, phone_number, id);

create index consents_by_user on consents (user_id, id);

create table dial_decisions (
  id uuid primary key,
  user_id text not null,
  call_id uuid,
  kind text not null check (kind in ('call', 'transfer')),
  agent_id uuid,
  phone_number text not null,
  purpose text not null,
  outcome text not null check (outcome in ('allow', 'defer', 'deny')),
  not_before timestamptz(3),
  -- JSON, as texts: the hash is of these bytes.
  reasons text not null,
  inputs text not null,
  inputs_hash text not null,
  policy text,
  policy_version integer,
  evaluated_at timestamptz(3) not null
);

create index dial_decisions_by_user on dial_decisions (user_id, id);

create index dial_decisions_by_number on dial_decisions (user_id, phone_number, id);

create index dial_attempts on dial_decisions (user_id, phone_number, evaluated_at) where outcome = 'allow' and kind = 'call';

create index dial_decisions_by_call on dial_decisions (call_id, id);
