-- Evidence of a decision: also of one by which nobody was called.
alter table evidence_documents
  alter column call_id drop not null,
  add column decision_id uuid,
  add constraint evidence_is_about_one check (num_nonnulls(call_id, decision_id) = 1);

create index evidence_by_decision on evidence_documents (decision_id, position) where decision_id is not null;
