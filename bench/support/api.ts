import { post } from './inputs.ts';
import { load, type Sent, writeRequests } from './load.ts';

/** Sends a request and gives the body of its answer. Throws when it is no success. */
export async function send<T>(url: string, { method, path, headers = {}, body }: Sent): Promise<T> {
  const init = { method, headers: { 'content-type': 'application/json', ...headers } };
  const response = await fetch(`${url}${path}`, body === undefined ? init : { ...init, body });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Agents of as many users, by user. */
export async function createAgents(
  url: string,
  users: number,
  headers: Record<string, string> = {},
): Promise<Map<string, string>> {
  const agents = new Map<string, string>();
  for (let index = 0; index < users; index++) {
    const user_id = `user-${index}`;
    const { id } = await send<{ id: string }>(url, post('/api/agents/', { name: 'Front desk', user_id }, headers));
    agents.set(user_id, id);
  }
  return agents;
}

/** Requests for a call each, of these users in turn. */
export function callRequests(agents: Map<string, string>, phone_number: string, fields: object = {}): Sent[] {
  return Array.from(agents, ([user, agent_id]) =>
    post('/api/calls/outbound', { agent_id, phone_number, ...fields }, { 'x-user-id': user }),
  );
}

/** Lets a server that has just started compile what it runs. */
export async function warmUp(url: string, requests: Sent[], connections: number, seconds: number): Promise<void> {
  const written = writeRequests(requests);
  await load(url, written, connections, seconds);
  written.remove();
}
