-- A version without a price withdraws that of its key from its date on.
alter table prices
  alter column price drop not null,
  add constraint prices_withdrawn check (price is not null or billing_increment is null);
