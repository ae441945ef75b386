-- Where the callbacks of an agent's calls go, unless a call has an address of its own.
alter table agents add column callback_url text;

-- Where the callbacks of all calls of a user go, beside the address of each call.
create table webhook_endpoints (
  id uuid primary key,
  user_id text not null,
  url text not null,
  -- The host and port of the url, as in callbacks.
  host text not null,
  -- The types that are sent; null: all, those of later versions too.
  events text[],
  is_active boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index webhook_endpoints_by_user on webhook_endpoints (user_id, id desc);

alter table callbacks
  -- The endpoint that it goes to; null for the callback_url of the call.
  add column endpoint_id uuid;

create index callbacks_by_webhook_endpoint on callbacks (endpoint_id) where status = 'pending' and endpoint_id is not null;
