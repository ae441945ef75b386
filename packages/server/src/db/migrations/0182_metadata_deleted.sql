-- Whether variables, metadata and data of a session were deleted because its agent or its user says so: what is written later goes, too.
alter table sessions add column metadata_deleted boolean not null default false;
