-- Which transaction has last changed what is shown of a campaign: the stream over all calls sends it then. Those of before have 0,
-- and are sent once they change. Whoever changes one names the column, and a turn that changes nothing leaves it as it is.
-- See docs/adr/0018.
alter table campaigns add column tx bigint not null default 0;

alter table campaigns alter column tx set default txid_current();

create index campaigns_by_tx on campaigns (tx);
