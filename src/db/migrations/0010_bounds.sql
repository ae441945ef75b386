-- When a key ceases to be accepted; null when it never does.
alter table api_keys add column expires_at timestamptz(3);

-- What an agent adds to the list of its user's agents, which has no pages.
alter table agents add column size_bytes integer not null generated always as (
  octet_length(name) + coalesce(octet_length(description), 0) + octet_length(config::text)
) stored;

-- How large session_data is as text, so that a list knows it without reading it.
alter table sessions add column session_data_bytes integer not null default 2;

-- What is stored in the row itself is small enough to count for nothing.
update sessions set session_data_bytes = octet_length(session_data::text) where pg_column_size(session_data) > 500;
