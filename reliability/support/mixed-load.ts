import { randomInt, randomUUID } from 'node:crypto';
import { type Request, send } from '@switchboard/testkit/client.ts';
import { listen } from '@switchboard/testkit/event-stream.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';

/** A call that is open, as far as the client knows. */
interface Open {
  call_id: string;
  room_name: string;
  agent_id: string;
  user: string;
}

interface Options {
  url: string;
  callbackUrl: string;
  /** Requests a second, whatever the service's pace. */
  rate: number;
  stopping: AbortSignal;
}

/** The counts of a load, while it runs. */
export interface Counts {
  requests: number;
  streams: number;
  calls: number;
  /** Responses other than 2xx, by request and status. */
  refused: Map<string, number>;
}

/** Users of the load: `user-0` and so on. */
export const USERS = 60;
const OPEN_CALLS = 150;
const STREAMS = 80;
const BATCH = 20;
const IN_FLIGHT = 200;
const SENTENCE = 'I would like to move my appointment to the first week of July, if that is possible. ';
const LISTS = ['/api/calls/', '/api/sessions/', '/api/agents/', '/api/callbacks', '/api/usage/events'];
const REPORTS = ['/api/costs/summary', '/api/costs/timeline', '/api/costs/by-agent', '/api/stats/calls'];

/** Starts requests of every common kind at an even rate until `stopping`; resolves when all of them have ended. */
export async function runMixedLoad(options: Options): Promise<Counts> {
  const { url, rate, stopping } = options;
  const counts: Counts = { requests: 0, streams: 0, calls: 0, refused: new Map() };
  const agents = await createAgents(url);
  const open: Open[] = [];
  const streams = new Set<() => void>();
  const running = new Set<Promise<unknown>>();
  const begun = performance.now();
  const load = { ...options, counts, agents, open, streams };
  for (let nth = 0; !stopping.aborted; nth++) {
    // A request more than this many behind is left out: a slow machine must not see a burst afterwards.
    if (running.size < IN_FLIGHT) {
      const work = step(load).finally(() => running.delete(work));
      running.add(work);
    }
    const pause = begun + (nth * 1000) / rate - performance.now();
    if (pause > 0) await systemClock.sleep(pause, stopping).catch(() => {});
  }
  for (const leave of streams) leave();
  await Promise.all(running);
  return counts;
}

type Load = Options & {
  counts: Counts;
  agents: Pick<Open, 'agent_id' | 'user'>[];
  open: Open[];
  streams: Set<() => void>;
};

function step(load: Load): Promise<unknown> {
  const { open } = load;
  const dice = randomInt(100);
  const call = open[randomInt(Math.max(1, open.length))];
  if (!call || dice < 6) return open.length < OPEN_CALLS ? place(load) : end(load);
  if (dice < 11) return end(load);
  if (dice < 46) return ask(load, logEvents(call, 1));
  if (dice < 51) return ask(load, logEvents(call, BATCH));
  if (dice < 73) return ask(load, transcript(call));
  if (dice < 85) return ask(load, { path: `${pick(LISTS)}?limit=50`, user: call.user });
  if (dice < 91) return ask(load, { path: pick(REPORTS), user: call.user });
  if (dice < 96) return ask(load, { path: `/api/sessions/${call.call_id}/transcripts`, user: call.user });
  return follow(load, call);
}

async function ask({ url, counts }: Load, request: Request) {
  const { status, body } = await send(url, request).catch(() => ({ status: 0, body: null }));
  counts.requests++;
  const what = `${request.method ?? 'GET'} ${request.path.replace(/[0-9a-f-]{36}/g, '…')} ${status} ${body?.code ?? ''}`;
  if (status >= 300 || status === 0) counts.refused.set(what, (counts.refused.get(what) ?? 0) + 1);
  return { status, body };
}

async function place(load: Load): Promise<void> {
  const { agent_id, user } = pick(load.agents);
  const phone_number = `+1500555${1000 + randomInt(9000)}`;
  const body = { agent_id, phone_number, callback_url: load.callbackUrl, variables: { name: SENTENCE } };
  const answer = await ask(load, { method: 'POST', path: '/api/calls/outbound', user, key: randomUUID(), body });
  if (answer.status !== 201) return;
  load.counts.calls++;
  load.open.push({ call_id: answer.body.call_id, room_name: answer.body.room_name, agent_id, user });
}

async function end(load: Load): Promise<void> {
  const call = load.open.shift();
  if (call) await ask(load, { method: 'POST', path: `/api/calls/${call.call_id}/end`, user: call.user });
}

function logEvents({ call_id: session_id, user: user_id, agent_id }: Open, count: number): Request {
  const events = Array.from({ length: count }, () => ({
    session_id,
    user_id,
    agent_id,
    provider: pick(['openai', 'deepgram', 'cartesia']),
    event_type: 'llm_tokens',
    quantity: String(randomInt(2000)),
    unit_cost: '0.000001',
    total_cost: `0.${String(randomInt(2 ** 47)).padStart(18, '0')}`,
  }));
  const batch = { path: '/api/usage/events/batch', body: { events } };
  const one = { path: '/api/usage/events', body: events[0] };
  return { method: 'POST', key: randomUUID(), ...(count === 1 ? one : batch) };
}

function transcript({ room_name, user }: Open): Request {
  const body = { speaker: pick(['USER', 'AGENT']), content: SENTENCE.repeat(1 + randomInt(8)) };
  return { method: 'POST', path: `/api/sessions/by-room/${room_name}/transcripts`, user, body };
}

/** Follows a call, or all of a user's, for up to a minute; too many streams end the oldest. */
async function follow(load: Load, { call_id, user }: Open): Promise<void> {
  const { url, streams, counts, stopping } = load;
  if (streams.size >= STREAMS) streams.values().next().value?.();
  const path = randomInt(2) === 0 ? '/api/events' : `/api/calls/${call_id}/events`;
  const stream = await listen(`${url}${path}`, { 'x-user-id': user }).catch(() => null);
  if (!stream) return void counts.refused.set('stream', (counts.refused.get('stream') ?? 0) + 1);
  if (stream.status !== 200) counts.refused.set(`stream ${stream.status}`, 1);
  counts.streams++;
  const left = new AbortController();
  const leave = () => {
    streams.delete(leave);
    left.abort();
    stream.leave();
  };
  streams.add(leave);
  await systemClock.sleep(randomInt(60_000), AbortSignal.any([left.signal, stopping])).catch(() => {});
  leave();
}

function createAgents(url: string): Promise<Load['agents']> {
  return Promise.all(
    Array.from({ length: USERS }, async (_, index) => {
      const user = `user-${index}`;
      const request = { method: 'POST', path: '/api/agents/', body: { name: 'Front desk', user_id: user } };
      const { status, body } = await send(url, request);
      if (status !== 201) throw new Error(`creating an agent: ${status} ${JSON.stringify(body)}`);
      return { agent_id: body.id, user };
    }),
  );
}

function pick<T>(of: readonly T[]): T {
  return of[randomInt(of.length)] as T;
}
