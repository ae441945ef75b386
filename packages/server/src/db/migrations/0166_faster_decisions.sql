-- Decisions look for the newest attempts of each purpose: by the earlier index they read all attempts once for each. In a migration of its own,
-- because only writes wait for it.
create index dial_attempts_by_purpose on dial_decisions (user_id, phone_number, purpose, evaluated_at)
where outcome = 'allow' and kind = 'call';
