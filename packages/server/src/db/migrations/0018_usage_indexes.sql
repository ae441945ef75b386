-- One index of events without a price and of adjusting entries, in the place of three: each costs every batch of events.
drop index usage_events_without_price, usage_events_adjusting_in_order, usage_events_adjusting_by_user;

create index usage_events_apart on usage_events (id) where is_unpriced or used_on is not null;
