-- The caller id of an inbound call as the carrier sent it, and the Call-ID of its SIP dialog; null for other sessions.
alter table sessions add column caller_id text, add column sip_call_id text;
