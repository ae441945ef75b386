-- Whose task it is: a worker whose key is bound to a user takes those of that user alone. Null for what is of no user, and for work of this
-- process, which no worker takes.
alter table work add column user_id text;

create index work_of_user on work (user_id, kind, due_at) where user_id is not null;

-- A worker is bound to a user, or covers all, as a viewer or supervisor does.
alter table api_keys drop constraint api_keys_user_check;

alter table api_keys add constraint api_keys_user_check check (
  case when role = 'user' then user_id is not null
    when role in ('viewer', 'supervisor', 'worker') then true
    else user_id is null end
);
