import type { Agent } from '../agents/agents.ts';
import type { Session } from '../sessions/sessions.ts';

/** The metadata of the worker's job when it is dispatched to a room, JSON text. */
export function agentMetadata(agent: Agent, session: Session): string {
  const { id: session_id, room_name, user_id, call_direction, outbound_phone_number, caller_number } = session;
  const { id: agent_id, name: agent_name, config } = agent;
  return JSON.stringify({
    session_id,
    room_name,
    user_id,
    agent_id,
    agent_name,
    config,
    call_direction,
    outbound_phone_number,
    caller_number,
  });
}
