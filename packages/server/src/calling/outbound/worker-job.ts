import type { Agent } from '../../conversations/agents/agents.ts';
import { directionOf, numbersOf, type Session } from '../../conversations/sessions/sessions.ts';
import type { RoomRequest } from '../../providers/rooms.ts';
import type { CallData } from './call-data.ts';
import type { WorkerJob } from './schema.ts';

export type { WorkerJob };

/** The job of the agent's worker for a session. */
export function jobOf(agent: Agent, session: Session, data: CallData = {}): WorkerJob {
  return {
    version: 1,
    session_id: session.id,
    room_name: session.room_name,
    user_id: session.user_id,
    agent_id: agent.id,
    agent_name: agent.name,
    agent_version: agent.version,
    config: agent.config,
    // A session that is not a phone call is a conversation in a browser.
    direction: directionOf(session) ?? 'WEB',
    ...numbersOf(session),
    variables: data.variables ?? {},
    metadata: data.metadata ?? {},
  };
}

/** The room of a session, with the metadata for the agent's worker. */
export function roomOf(agent: Agent, session: Session, data: CallData = {}): RoomRequest {
  return {
    room_name: session.room_name,
    room_metadata: JSON.stringify({ agentId: agent.id, sessionId: session.id }),
    agent_metadata: JSON.stringify(jobOf(agent, session, data)),
  };
}
