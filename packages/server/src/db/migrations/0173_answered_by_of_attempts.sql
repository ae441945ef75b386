-- The outcomes of the answers that 0175 adds. Apart from it, because campaigns lock attempts before sessions.
alter table campaign_attempts
  drop constraint campaign_attempts_outcome_check,
  add constraint campaign_attempts_outcome_check
    check (outcome in ('answered', 'voicemail', 'ivr', 'screening', 'ai', 'busy', 'no_answer', 'declined', 'unavailable',
      'invalid_number', 'failed', 'abandoned', 'interrupted', 'canceled')) not valid;
