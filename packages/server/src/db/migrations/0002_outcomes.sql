-- What became of a call, as its worker or its user has reported it.
alter table sessions
  add column answered_by text check (answered_by in ('human', 'voicemail', 'ivr', 'unknown')),
  add column disposition text;
