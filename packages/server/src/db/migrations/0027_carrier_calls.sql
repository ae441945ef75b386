-- The carrier's id of an inbound call, where the media provider tells it: what the carrier billed is matched by it.
alter table sessions add column carrier_call_sid text;
