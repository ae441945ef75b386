/**
 * Talks to a running worker without a phone and shows what Switchboard has of it: `npm run try`, with the worker's
 * variables. It does what Switchboard does for a call, makes a room with a dispatch, and then plays the caller.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Room } from '@livekit/rtc-node';
import { AccessToken, RoomAgentDispatch, RoomServiceClient } from 'livekit-server-sdk';
import { readSettings } from './settings.ts';
import type { Call } from './switchboard/call.ts';
import { HEARD_TOPIC } from './talk/models.ts';

const { livekitUrl, livekitApiKey, livekitApiSecret, agentName, switchboardUrl, switchboardApiKey } = readSettings(
  process.env,
);
const user_id = `trial-${randomUUID()}`;

async function ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const response = await fetch(`${switchboardUrl}${path}`, {
    method,
    headers: {
      'x-user-id': user_id,
      ...(switchboardApiKey && { authorization: `Bearer ${switchboardApiKey}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer as T;
}

/** Asks again and again, for 20 seconds. */
async function until<T>(what: string, get: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const value = await get();
    if (isThere(value)) return value;
    if (Date.now() > deadline) throw new Error(`${what} did not come. Is a worker running as ${agentName}?`);
    await sleep(100);
  }
}

const config = { greeting: 'Welcome to the trial.' };
const agent = await ask<{ id: string; name: string }>('POST', '/api/agents/', { name: 'Trial', user_id, config });
const session = await ask<{ id: string; room_name: string }>('POST', '/api/sessions/', { user_id, agent_id: agent.id });
const call: Call = {
  session_id: session.id,
  room_name: session.room_name,
  ...{ user_id, agent_id: agent.id, agent_name: agent.name, config },
  ...{ call_direction: null, outbound_phone_number: null },
};

const rooms = new RoomServiceClient(livekitUrl, livekitApiKey, livekitApiSecret);
const agents = [new RoomAgentDispatch({ agentName, metadata: JSON.stringify(call) })];
await rooms.createRoom({ name: call.room_name, emptyTimeout: 60, departureTimeout: 5, agents });
const token = new AccessToken(livekitApiKey, livekitApiSecret, { identity: 'caller' });
token.addGrant({ roomJoin: true, room: call.room_name });
const room = new Room();
await room.connect(livekitUrl, await token.toJwt(), { autoSubscribe: true, dynacast: false });

const path = `/api/sessions/${call.session_id}`;
const transcripts = () => ask<{ items: { speaker: string; content: string }[] }>('GET', `${path}/transcripts`);
const lines = (count: number) => (answer: { items: object[] }) => answer.items.length === count;
const say = (text: string) =>
  room.localParticipant?.publishData(new TextEncoder().encode(text), { reliable: true, topic: HEARD_TOPIC });

await until('The greeting', transcripts, lines(1));
await say('When do you open?');
await until('An answer', transcripts, lines(3));
await say('Goodbye!');
const state = () => ask<{ status: string }>('GET', path);
const { status } = await until('The end of the session', state, (answer) => answer.status === 'COMPLETED');
const spent = () => ask<{ total_cost: string; events: object[] }>('GET', `${path}/costs`);
const { total_cost, events } = await until('What it cost', spent, (answer) => answer.events.length === 7);

for (const { speaker, content } of (await transcripts()).items) console.log(`${speaker}: ${content}`);
console.log(`The session is ${status}. It cost ${total_cost}, in ${events.length} usage events.`);
await room.disconnect();
// rtc-node keeps the process alive.
process.exit(0);
