-- Whether a person has a call coming is asked by the number, among all scheduled calls that a user has ever had.
create index scheduled_calls_by_number on scheduled_calls (user_id, phone_number, id);
