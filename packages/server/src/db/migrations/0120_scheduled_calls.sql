-- Calls that are to be placed later. Whatever counts open calls knows nothing of them: the call itself is a session,
-- added in the transaction that places it.
create table scheduled_calls (
  id uuid primary key,
  user_id text not null,
  agent_id uuid not null,
  phone_number text not null,
  status text not null check (status in ('PROPOSED', 'SCHEDULED', 'PLACED', 'CANCELED', 'EXPIRED', 'REFUSED')),
  -- The request as JSON, until the call is placed or will not be.
  request text not null,
  callback_url text,
  room_name text not null,
  -- Local hours as JSON, where a window was asked for; null for an instant.
  hours text,
  due_at timestamptz(3) not null,
  -- The end of the window that `due_at` is in, and of all windows.
  latest_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- Why it was moved, or ended.
  reason text,
  detail text,
  call_id uuid,
  -- The conversation in which an agent has booked it.
  booked_in uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index scheduled_calls_by_user on scheduled_calls (user_id, id);

create index scheduled_calls_by_status on scheduled_calls (user_id, status, id);

create index scheduled_calls_by_booking on scheduled_calls (booked_in) where booked_in is not null;

-- An agent proposes one time after the other.
create unique index proposed_calls on scheduled_calls (booked_in) where status = 'PROPOSED';
