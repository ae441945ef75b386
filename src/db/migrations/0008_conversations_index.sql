-- Apart from the column, which keeps readers out: making this reads the table from end to end.
create index sessions_open_conversations on sessions (id)
  where status in ('CREATED', 'ACTIVE') and call_status is null and room_seen_at is not null;
