import assert from 'node:assert/strict';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import type { Database } from '../../src/db/database.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

export const CONFIG = {
  instructions: 'The library opens at {{hour}} on Sundays. A library card costs five dollars a year.',
};
export const variables = { hour: 'ten' };

export const post = (service: Service, path: string, body?: Json, user: string | null = USER) =>
  service.request('POST', path, { ...(user && { user }), ...(body && { body }) });

export async function startChat(service: Service, fields: Json = {}): Promise<string> {
  const agent_id = await createAgent(service, { config: CONFIG });
  const { status, body } = await post(service, '/api/chats', { agent_id, variables, ...fields });
  assert.equal(status, 201, JSON.stringify(body));
  return body.chat_id;
}

export const send = (service: Service, chat_id: string, content: string, key?: string) =>
  service.request('POST', `/api/chats/${chat_id}/messages`, { user: USER, body: { content }, headers: keyed(key) });

const keyed = (key?: string): Record<string, string> => (key === undefined ? {} : { 'idempotency-key': key });

/** A service whose chats are answered by workers that claim tasks; with a database, on that. */
export function served(env: Record<string, string> = {}, database?: Database) {
  const {
    answerChat: _,
    checkModel: __,
    checkFunction: ___,
    ...media
  } = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  return startService({ media, env, ...(database && { database }) });
}

export async function claim(service: Service, fields: Json = {}): Promise<Json[]> {
  const { status, body } = await post(
    service,
    '/api/worker/tasks/claim',
    { kind: 'chat_turn', wait_s: 30, ...fields },
    null,
  );
  assert.equal(status, 200, JSON.stringify(body));
  return body.tasks;
}

export const complete = (service: Service, { task_id, lease_token }: Json, content: string) =>
  post(service, `/api/worker/tasks/${task_id}/complete`, { lease_token, result: { content } }, null);

export async function transcriptOf(service: Service, chat_id: string): Promise<string[][]> {
  const { body } = await service.request('GET', `/api/sessions/${chat_id}/transcripts?limit=100`);
  return body.items.map(({ speaker, content }: Json) => [speaker, content]);
}

export const report = (service: Service, { task_id, lease_token }: Json, ...events: object[]) =>
  post(service, `/api/worker/tasks/${task_id}/events`, { lease_token, events }, null);

/** Sends a message whose answer is streamed, and reads its events. */
export async function stream(service: Service, chat_id: string, content: string, key?: string) {
  const leaving = new AbortController();
  const response = await fetch(`${service.url}/api/chats/${chat_id}/messages`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      'x-user-id': USER,
      ...keyed(key),
    },
    body: JSON.stringify({ content }),
    signal: leaving.signal,
  });
  const reader = (response.body ?? assert.fail()).pipeThrough(new TextDecoderStream()).getReader();
  const events: [event: string, data: Json][] = [];
  let text = '';
  /** Reads on until an event of this name; returns all events. */
  const until = async (name: string) => {
    while (events.at(-1)?.[0] !== name) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await reader.read();
        assert.ok(!done, `no ${name} in ${JSON.stringify(events)}`);
        text += value;
        continue;
      }
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (event && data) events.push([event, JSON.parse(data)]);
    }
    return events;
  };
  return { response, until, leave: () => leaving.abort() };
}
