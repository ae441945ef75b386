-- What the carrier billed for each line, from its own records: each is imported once, and a line has one record at most.
create table carrier_records (
  carrier_call_sid text primary key,
  -- The event of the line in the ledger, and its session, with which the record is erased.
  event_id uuid not null unique,
  session_id uuid not null,
  -- What the ledger had for the line before, and what the carrier billed.
  booked numeric not null,
  billed numeric not null,
  started_at timestamptz(3) not null,
  duration_s integer not null,
  imported_at timestamptz(3) not null
);

create index carrier_records_by_session on carrier_records (session_id);
