/** Providers of a list: those that answer, and those that are busy, silent, or break off in the middle. */
import type { ServerResponse } from 'node:http';
import type { FailedOver } from '@switchboard/client';
import { readConfig } from '../conversation/config.ts';
import { createModels } from '../conversation/models.ts';
import { type Asked, completion, events, type StandIn, startStandIn } from './stand-in.ts';

export type Answer = (response: ServerResponse, asked: Asked) => void;
export const busy: Answer = (response) =>
  response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"message":"Rate limit reached"}}');
export const silent: Answer = () => {};
const usage = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 };
export const says =
  (...texts: string[]): Answer =>
  (response) =>
    events(
      response,
      completion(
        texts.map((content) => ({ content })),
        usage,
      ),
      '[DONE]',
    );
/** Says some words, and then the connection breaks. */
export const breaksAfter =
  (...texts: string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunks = completion(texts.map((content) => ({ content }))).slice(0, texts.length);
    response.write(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''), () =>
      response.socket?.destroy(),
    );
  };

/** Two providers with these answers, and a model of each in a list. */
export async function pair(kind: 'llm' | 'tts' | 'stt', answers: [Answer, Answer], fail_over: object = {}) {
  const standIns = await Promise.all(answers.map((http) => startStandIn({ http: (asked, to) => http(to, asked) })));
  const told: FailedOver[] = [];
  const models = listed(
    kind,
    standIns.map((one, index) => [one, { model: index === 0 ? 'first' : 'second' }]),
    { first_token_ms: answers.includes(silent) ? 3_000 : 10_000, ...fail_over },
    (one) => told.push(one),
  );
  const asked = () => standIns.map((one) => one.asked.length);
  return { ...models, told, asked, standIns, close: () => standIns.map((one) => one.close()) };
}

export function listed(kind: string, ones: [StandIn, object][], fail_over: object, report: (one: FailedOver) => void) {
  const sections = ones.map(([{ origin }, section]) => ({ ...section, base_url: `${origin}/v1` }));
  const baseUrls = new Map(sections.map(({ base_url }) => [base_url, 'the-key']));
  const config = readConfig({ config: { [kind]: sections, fail_over }, variables: {} });
  return createModels(config, { keys: { openai: 'unused' }, baseUrls }, report);
}

/** The second model of a list took over. */
export const over = (kind: string, reason: string) => ({ kind, from: 'local/first', to: 'local/second', reason });
