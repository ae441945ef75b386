-- The price book. A version of a price stays as it was recorded, but for the time at which a newer one took its place.
-- '' stands for all models, destinations or directions.
create table prices (
  id uuid primary key,
  provider text not null,
  event_type text not null,
  model text not null,
  -- The first digits of the called number, in E.164 without the plus sign.
  prefix text not null,
  direction text not null check (direction in ('', 'INBOUND', 'OUTBOUND', 'WEB')),
  price numeric not null check (price >= 0),
  billing_increment text check (billing_increment in ('60/60', '30/6', '6/6', '1/1')),
  valid_from date not null,
  recorded_at timestamptz(3) not null,
  superseded_at timestamptz(3)
);

create unique index prices_current on prices (provider, event_type, prefix, model, direction, valid_from) where superseded_at is null;

create index prices_in_order on prices (id) where superseded_at is null;

-- Minutes as they are billed: the first increment in any case, then as many of the second as have begun, in seconds.
-- Six digits after the point hold a second to the nearest 60 microseconds, so that billing what was billed changes nothing.
create function billed_minutes(minutes numeric, increment text) returns numeric language sql immutable as
$$ select case when increment is null or minutes <= 0 then minutes
     else round((initial + ceil(greatest(seconds - initial, 0) / step) * step) / 60, 6) end
   from (select round(minutes * 60, 3), split_part(increment, '/', 1)::numeric, split_part(increment, '/', 2)::numeric)
     as billed (seconds, initial, step) $$;
