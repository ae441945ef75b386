-- Numbers whose carrier may yet carry out a request that it did not answer: they are looked at again, for about an hour.
create table number_watches (
  phone_number text primary key,
  carrier_sid text not null,
  -- What the number did before it was sent to us.
  previous_routing jsonb not null,
  looks integer not null,
  look_at timestamptz(3) not null
);
