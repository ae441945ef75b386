-- The trunks that the phone of a call was dialed over, in order, and why those that did not carry it refused it.
alter table sessions add column trunks jsonb;
