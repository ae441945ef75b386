-- Whoever signed in at an OpenID provider has shown no key.
alter table console_sessions alter column key_id drop not null;
