/** A stand-in for Switchboard that hands out turns of chats, and a model in OpenAI's protocol that answers them. */
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger } from '@livekit/agents';
import { createSwitchboard } from '@switchboard/client';
import { serveChats } from '../chat/chats.ts';
import type { ChatOutcome, Observation } from '../metrics.ts';
import { type Asked, startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

export const secret = `whsec_${Buffer.from('a secret of 32 bytes for testing').toString('base64')}`;

/** Waits until something is so; the test's own timeout ends it otherwise. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}

const EARLIER = [
  { speaker: 'USER', content: 'Hi.' },
  { speaker: 'AGENT', content: 'Hello.' },
];

type Think = (asked: Asked, response: ServerResponse) => void;
type Refuse = (path: string) => { status: number; code: string } | null;

/** A worker's chats with `capacity`, the service that it claims from, and the model that it asks. */
export async function startChats(t: TestContext, think: Think, { capacity = 4, refuse = (() => null) as Refuse } = {}) {
  const waiting: object[] = [];
  const model = await startStandIn({ http: think });
  const service = await startStandIn({
    http: ({ path, body }, response) => {
      const refused = refuse(path);
      const answer = (status: number, data: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
      if (refused) return void answer(refused.status, { code: refused.code, detail: 'refused' });
      if (path.endsWith('/propose')) return void answer(200, { spoken: 'Saturday at three' });
      if (!path.endsWith('/claim')) return void answer(200, { lease_expires_at: '2026-01-15T09:30:30.000Z' });
      const give = () => {
        if (response.destroyed) return;
        if (waiting.length === 0) return void setTimeout(give, 10);
        answer(200, { tasks: waiting.splice(0, body.capacity) });
      };
      give();
    },
  });
  const booked: string[] = [];
  const observed: Observation[] = [];
  const outcomes: ChatOutcome[] = [];
  const warnings: string[] = [];
  const base_url = `${model.origin}/v1`;
  const { tasks, scheduledCalls } = createSwitchboard({ baseUrl: service.origin, retryDelayMs: 1 });
  const chats = serveChats({
    tasks,
    scheduledCalls,
    settings: {
      models: { keys: {}, azureEndpoint: null, baseUrls: new Map([[base_url, 'key']]) },
      functions: { secret, allowPrivate: true },
    },
    capacity,
    extendMs: 50,
    answered: (outcome) => outcomes.push(outcome),
    observe: (observation) => observed.push(observation),
    book: (_task, used) => booked.push(...used.map(({ unit, quantity, model: m }) => `${m} ${unit} ${quantity}`)),
    log: { error: () => {}, warn: (_details: object, message: string) => warnings.push(message) },
  });
  t.after(async () => {
    await chats.stop(0);
    model.close();
    service.close();
  });

  const llm = (name: string) => ({ provider: 'openai', model: name, base_url });

  /** Adds a turn whose last message is `content`, after `earlier` ones. */
  function add(content: string, config: object = {}, earlier: object[] = EARLIER): void {
    const messages = [...earlier, { speaker: 'USER', content }];
    const of = { user_id: 'u', agent_id: 'a', agent_version: 1, agent_name: 'Front desk', metadata: {} };
    const instructions = 'Be kind to {{name}}.';
    const payload = {
      chat_id: 'c',
      ...of,
      config: { instructions, llm: llm('m'), ...config },
      variables: { name: 'Ada' },
      messages,
    };
    waiting.push({ task_id: `t${++added}`, kind: 'chat_turn', attempt: 1, lease_token: 7, payload });
  }
  let added = 0;
  const sent = (end: string) => service.asked.filter(({ path }) => path.endsWith(end)).map(({ body }) => body);
  const events = () => sent('/events').flatMap((body) => body.events);
  return { add, llm, chats, model, service, sent, events, booked, observed, outcomes, warnings };
}
