-- Counts what users store in scheduled calls, as 0091 counts the rest of their outreach; 0130 has the view.
create function scheduled_bytes(request text, detail text) returns integer immutable language sql as
$$ select 400 + octet_length(request) + coalesce(octet_length(detail), 0) $$;

create trigger count_bytes_added after insert on scheduled_calls referencing new table as added
for each statement execute function count_outreach_added('scheduled_bytes(request, detail)');

create trigger count_bytes_removed after delete on scheduled_calls referencing old table as removed
for each statement execute function count_outreach_removed('scheduled_bytes(request, detail)');

create function count_scheduled_changed() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, sum(bytes), greatest(sum(bytes), 0) from (
    select user_id, -scheduled_bytes(request, detail) as bytes from before
    union all select user_id, scheduled_bytes(request, detail) from after
  ) as changed
  group by user_id having sum(bytes) <> 0;
  return null;
end
$$;

create trigger count_bytes_changed after update on scheduled_calls referencing old table as before new table as after
for each statement execute function count_scheduled_changed();
