-- The SIP facts of a call: ids, what was measured of its sound, and its headers. Null for none.
alter table sessions add column sip jsonb;
