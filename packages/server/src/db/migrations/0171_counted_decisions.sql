-- As 0091, without a statement that is planned anew for each insert: with a policy, each call that is placed waits for it.
create function count_decisions_added() returns trigger language plpgsql as
$$
begin
  insert into storage_changes (user_id, bytes, written)
  select user_id, sum(bytes), sum(bytes) from (select user_id, decision_bytes(inputs, reasons) as bytes from added) as content group by user_id;
  return null;
end
$$;

drop trigger count_bytes_added on dial_decisions;

create trigger count_bytes_added after insert on dial_decisions referencing new table as added
for each statement execute function count_decisions_added();

drop index dial_attempts;
