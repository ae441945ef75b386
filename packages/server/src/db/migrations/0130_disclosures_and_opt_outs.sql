-- The first words of outbound calls that must be said, as they were said.
create table call_disclosures (
  call_id uuid primary key references sessions (id),
  user_id text not null,
  text text not null,
  started_at timestamptz(3) not null,
  -- Whether they were said to their end.
  is_complete boolean not null,
  created_at timestamptz(3) not null
);

-- Calls in which somebody has asked not to be called any more.
create table call_opt_outs (
  call_id uuid primary key references sessions (id),
  user_id text not null,
  -- By the service, from a transcript, or by the agent.
  noticed_by text not null check (noticed_by in ('service', 'agent')),
  -- What was said; null if the agent has noticed it before anything was transcribed.
  transcript_id uuid,
  scope text not null check (scope in ('user', 'agent', 'purpose')),
  scope_id text not null,
  -- False for a caller who withholds the number.
  is_suppressed boolean not null,
  asked_at timestamptz(3) not null
);

create trigger count_bytes_added after insert on call_disclosures referencing new table as added
for each statement execute function count_outreach_added('300 + octet_length(text)');

create trigger count_bytes_removed after delete on call_disclosures referencing old table as removed
for each statement execute function count_outreach_removed('300 + octet_length(text)');

create trigger count_bytes_added after insert on call_opt_outs referencing new table as added
for each statement execute function count_outreach_added('300');

create trigger count_bytes_removed after delete on call_opt_outs referencing old table as removed
for each statement execute function count_outreach_removed('300');

-- Evidence that was issued: each document names the hash of the one before it. The documents themselves are not kept.
create table evidence_documents (
  user_id text not null,
  position integer not null,
  call_id uuid not null references sessions (id),
  -- SHA-256 of what is certified, and of the whole document.
  content_hash text not null,
  document_hash text not null,
  -- That of the user's document before it.
  previous_hash text,
  key_id text not null,
  signature text not null,
  issued_at timestamptz(3) not null,
  primary key (user_id, position)
);

create index evidence_by_call on evidence_documents (call_id, position);

create trigger count_bytes_added after insert on evidence_documents referencing new table as added
for each statement execute function count_outreach_added('600');

create trigger count_bytes_removed after delete on evidence_documents referencing old table as removed
for each statement execute function count_outreach_removed('600');

-- The keys that sign evidence. The newest signs; the public parts of all are shown.
create table evidence_keys (
  id text primary key,
  public_key text not null,
  secret text not null,
  created_at timestamptz(3) not null
);

create or replace view stored_outreach as
  select user_id, 400 as bytes from suppressions where user_id is not null
  union all select user_id, consent_bytes(text, evidence_url) from consents
  union all select user_id, decision_bytes(inputs, reasons) from dial_decisions
  union all select user_id, 200 + octet_length(rules) from dial_policy_versions
  union all select user_id, 500 + octet_length(settings) from campaigns
  union all select user_id, recipient_bytes(external_id, variables, metadata) from campaign_recipients
  union all select user_id, scheduled_bytes(request, detail) from scheduled_calls
  union all select user_id, 300 + octet_length(text) from call_disclosures
  union all select user_id, 300 from call_opt_outs
  union all select user_id, 600 from evidence_documents;
