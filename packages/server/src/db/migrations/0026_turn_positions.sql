-- Turns are streamed as they are reported, by the transaction that has written them. Those of before have 0, and are not.
-- See docs/adr/0018.
alter table turns add column tx bigint not null default 0;

alter table turns alter column tx set default txid_current();

create index turns_by_tx on turns (tx);
