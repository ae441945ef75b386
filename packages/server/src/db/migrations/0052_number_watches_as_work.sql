-- Numbers to check again are work. Checks are due 1, 3, 7, … minutes after the request whose outcome is unknown.
insert into work (id, kind, key, payload, due_at, created_at)
select gen_random_uuid(), 'number_watch', phone_number,
  jsonb_build_object('carrier_sid', carrier_sid, 'previous_routing', previous_routing,
    'since', look_at - (2 ^ (looks + 1) - 1) * interval '1 minute'),
  look_at, now()
from number_watches;

drop table number_watches;
