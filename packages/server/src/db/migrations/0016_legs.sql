-- When the target of a transfer answered, and when its line ended, so that it is billed once. Null: it has not.
alter table transfers
  add column answered_at timestamptz(3),
  add column line_ended_at timestamptz(3);

update transfers set answered_at = updated_at
where status = 'connected' or (status = 'completed' and transfer_type = 'WARM' and phones > 0);
