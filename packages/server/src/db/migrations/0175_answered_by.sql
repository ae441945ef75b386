-- More about who or what answers: a machine that screens calls, one that takes no message, and a program that talks.
alter table sessions
  drop constraint sessions_answered_by_check,
  add constraint sessions_answered_by_check
    check (answered_by in ('human', 'voicemail', 'ivr', 'screening', 'unavailable', 'ai', 'unknown')) not valid;
