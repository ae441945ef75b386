import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from '@switchboard/testkit/client.ts';

/** Timeout for the response to a request. */
const DEADLINE_MS = 40_000;

/** A service, and the resources created in it. */
export interface Target {
  url: string;
  room_name: string;
  session_id: string;
  /** One for each of the sandbox carrier's numbers. */
  agents: string[];
  /** Number of requested numbers. */
  asked: number;
}

/** A request and its response. */
export interface Answered {
  name: Name;
  /** `Idempotency-Key` of a write, and the value by which it can be found. */
  key: string | undefined;
  ok: boolean;
  status: number;
  code: string | undefined;
  id: string | undefined;
  retryAfter: string | null;
  seconds: number;
}

export type Name = keyof typeof ASK;

const USER = 'user-1';
let phones = 0;
const newPhone = () => `+1415555${String(++phones).padStart(4, '0')}`;

/** Method, path, body and, if the request has one, key. */
const ASK = {
  'usage event': (_target, key = randomUUID()) => {
    const about = { session_id: key, user_id: USER, provider: 'p', event_type: 'llm_tokens' };
    return ['POST', '/api/usage/events', { ...about, quantity: 1, unit_cost: 1, total_cost: 1 }, key];
  },
  transcript: ({ room_name }, key = randomUUID()) => [
    'POST',
    `/api/sessions/by-room/${room_name}/transcripts`,
    { content: key },
    key,
  ],
  'outbound call': ({ agents: [agent_id] }, key = newPhone()) => [
    'POST',
    '/api/calls/outbound',
    { agent_id, phone_number: key },
    key,
  ],
  'number assign': (target) => {
    const nth = target.asked++ % target.agents.length;
    const body = { agent_id: target.agents[nth], phone_number: `+150055500${10 + nth}` };
    return ['POST', '/api/telephony/numbers/assign', body];
  },
  'session update': ({ session_id }) => ['PATCH', `/api/sessions/${session_id}`, { metadata: { seen: true } }],
  'session read': ({ session_id }) => ['GET', `/api/sessions/${session_id}`],
  'costs report': () => ['GET', '/api/costs/summary'],
  agents: () => ['GET', '/api/agents/'],
  readyz: () => ['GET', '/readyz'],
  healthz: () => ['GET', '/healthz'],
} satisfies Record<string, (target: Target, key?: string) => readonly [string, string, object?, string?]>;

export const NAMES = Object.keys(ASK) as Name[];

/** Sends the request of this name; with a key it repeats an earlier one. */
export async function ask(target: Target, name: Name, repeated?: string): Promise<Answered> {
  const [method, path, body, key]: readonly [string, string, object?, string?] = ASK[name](target, repeated);
  const begun = performance.now();
  const {
    status,
    headers,
    body: answer,
  } = await request(target.url, { method, path, user: USER, key, body }, AbortSignal.timeout(DEADLINE_MS));
  const { id, call_id, code } = answer;
  return {
    name,
    key,
    status,
    code,
    id: id ?? call_id,
    retryAfter: headers.get('retry-after'),
    // A refusal because an earlier request has taken the number is a valid response.
    ok: status < 300 || (name === 'number assign' && status === 409),
    seconds: (performance.now() - begun) / 1000,
  };
}

/** Creates the resources for the requests. */
export async function prepare(url: string): Promise<Target> {
  const make = async (path: string, fields: object) => {
    const { status, body: made } = await request(url, {
      method: 'POST',
      path,
      user: USER,
      body: { user_id: USER, ...fields },
    });
    assert.equal(status, 201, JSON.stringify(made));
    return made as { id: string; room_name: string };
  };
  const agents: string[] = [];
  for (let i = 0; i < 10; i++) agents.push((await make('/api/agents/', { name: `Agent ${i}` })).id);
  const { id: session_id, room_name } = await make('/api/sessions/', {});
  return { url, room_name, session_id, agents, asked: 0 };
}
