-- One row: how often rows of usage_agent_sessions may have been deleted. A process that remembers which rows exist asks
-- whether it still is this often, instead of writing them again with each event of a session.
create table usage_agent_session_version (version bigint not null);

insert into usage_agent_session_version values (0);
