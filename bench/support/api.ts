import { createSwitchboard, type OutboundCallStarted } from '@switchboard/client';
import { post } from './inputs.ts';
import { load, type Sent, writeRequests } from './load.ts';

const connect = (url: string, apiKey?: string) =>
  createSwitchboard({ baseUrl: url, ...(apiKey !== undefined && { apiKey }) });

/** One agent for each of these users, by user. */
export async function createAgents(url: string, users: number, apiKey?: string): Promise<Map<string, string>> {
  const agents = new Map<string, string>();
  for (let index = 0; index < users; index++) {
    const { id, user_id } = await connect(url, apiKey).agents.create({ name: 'Front desk', user_id: `user-${index}` });
    agents.set(user_id, id);
  }
  return agents;
}

/** A session of one user in each room. */
export async function createSessions(url: string, rooms: string[]): Promise<void> {
  for (const room_name of rooms) await connect(url).sessions.create({ user_id: 'user-1', room_name });
}

/** One call for each of these users. */
export async function placeCalls(
  url: string,
  agents: Iterable<[user: string, agent_id: string]>,
  phone_number: string,
  apiKey?: string,
): Promise<OutboundCallStarted[]> {
  const calls: OutboundCallStarted[] = [];
  for (const [user, agent_id] of agents)
    calls.push(await connect(url, apiKey).forUser(user).calls.start({ agent_id, phone_number }));
  return calls;
}

/** Requests for a call each, cycling through these users. */
export function callRequests(agents: Map<string, string>, phone_number: string, fields: object = {}): Sent[] {
  return Array.from(agents, ([user, agent_id]) =>
    post('/api/calls/outbound', { agent_id, phone_number, ...fields }, { 'x-user-id': user }),
  );
}

/** Warms up a server that has just started. */
export async function warmUp(url: string, requests: Sent[], connections: number, seconds: number): Promise<void> {
  const written = writeRequests(requests);
  await load(url, written, connections, seconds);
  written.remove();
}
