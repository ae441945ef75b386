-- Until when fingerprints of repeatable requests are stored without a key: a process of an earlier release knows no others, and would refuse a
-- request that is repeated to it during a rolling upgrade. Null in a new database, beside which none runs.
alter table installation add column fingerprints_keyed_from timestamptz(3);

update installation set fingerprints_keyed_from = now() + interval '1 day' where exists (select from sessions);
