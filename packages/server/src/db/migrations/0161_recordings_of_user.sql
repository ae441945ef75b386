-- What the erasure of a user deletes: also audio of recordings that were deleted before, which a storage may have kept.
drop index recordings_of_user;

create index recordings_of_user on recordings (user_id, id);
