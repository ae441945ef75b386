-- The suite that the versions of a release had to pass; null: none.
alter table agent_releases add column gate uuid;
