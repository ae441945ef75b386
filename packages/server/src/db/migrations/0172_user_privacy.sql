-- What the conversations of a user do not keep, whichever agent holds them; with what the agent says.
create table user_privacy (user_id text primary key, rules jsonb not null);
