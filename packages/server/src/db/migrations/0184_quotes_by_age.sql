-- Callbacks that quote what was said are deleted at its age, those that are still being sent, too. A process of an earlier release uses this index as well.
create index callbacks_quotes_by_age on callbacks (id) where type in ('call.report', 'call.analyzed', 'call.digits');

drop index callbacks_telling_by_age;
