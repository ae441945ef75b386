-- No process remembers which sessions are in usage_agent_sessions: the statement that writes events asks the table itself.
drop trigger raise_version on usage_agent_sessions;

drop function raise_agent_session_version();

drop table usage_agent_session_version;
