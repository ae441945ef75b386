-- A conversation whose room was there and is gone has ended, whatever events were lost. One whose room was never there has not begun.
alter table sessions add column room_seen_at timestamptz(3);
