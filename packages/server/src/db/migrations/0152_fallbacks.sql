-- Transfers of inbound calls that no worker has taken, to the fallback number of their agent.
alter table transfers add column is_fallback boolean not null default false;
