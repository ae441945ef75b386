-- Erasures in progress are work, under their pseudonym.
insert into work (id, kind, key, payload, due_at, created_at)
select gen_random_uuid(), 'erasure', pseudonym,
  jsonb_build_object('actor', jsonb_build_object('actor', 'repair', 'user_id', null, 'ip', null)), requested_at, requested_at
from erasures where user_id is not null;

delete from leases where name like 'erasure/%';
