-- Users of whose conversations nothing is deleted until their hold is lifted.
create table legal_holds (user_id text primary key, since timestamptz(3) not null);

-- The same for the conversations of one agent.
alter table agents add column legal_hold boolean not null default false;

create index agents_held on agents (user_id, id) where legal_hold;
