-- Secrets of before the previous one that still sign, sealed as it is, each with the time until which that was promised.
alter table callback_secrets add column earlier_secrets jsonb not null default '[]';
