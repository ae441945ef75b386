-- Secrets that are replaced in a conversation before it is written, as its agent said when it began; null: none.
alter table sessions add column privacy jsonb;
