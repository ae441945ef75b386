/** Language models that stall, refuse and break off in calls: the caller hears the answer of the next one. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { assertHeard, missingVoice } from '@switchboard/testkit/voice.ts';
import { MODEL_KEY, openSpokenCalls } from './support/spoken-calls.ts';

const OPENING = 'The library opens at ten on Sundays.';
/** The longest wait for a token, also of the second model: long enough for one on a busy machine. */
const FIRST_TOKEN_MS = 3_000;

/** How the first model fails, by its name. */
const FAILS: Record<string, (response: ServerResponse) => unknown> = {
  stalls: () => {},
  'is-busy': (response) =>
    response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"message":"Rate limit reached"}}'),
  'breaks-off': (response) => {
    const delta = { role: 'assistant', content: 'The library opens at ' };
    const choices = [{ index: 0, delta, finish_reason: null }];
    const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'breaks-off', choices };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => response.socket?.destroy());
  },
};

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('models that fail in calls', { skip: missing }, () => {});
} else {
  const asked: string[] = [];
  const failing = await serveHttp(async (request, response) => {
    // Looked for in advance, for the connection alone.
    if (request.method === 'GET') return void response.writeHead(404).end();
    const { model } = (await json(request)) as { model: string };
    asked.push(model);
    FAILS[model]?.(response);
  });
  after(failing.close);
  const base_url = `${failing.url}/v1`;
  const { voice, service, answeredCall } = await openSpokenCalls('lab-failover', [base_url]);

  for (const [model, reason] of [
    ['stalls', 'timeout'],
    ['is-busy', 'rate_limit'],
    ['breaks-off', 'error'],
  ] as const)
    test(`a caller whose model ${model.replace('-', ' ')} hears the answer of the next one, to which it is booked`, async () => {
      const before = await voice.used(MODEL_KEY);
      const { call_id, caller, lines } = await answeredCall({
        instructions: `Be kind. ${OPENING}`,
        greeting: 'Welcome to the library.',
        llm: [{ provider: 'openai', model, base_url }, voice.config.llm],
        fail_over: { first_token_ms: FIRST_TOKEN_MS },
      });
      await lines(1);
      caller.heard();
      await caller.say(await voice.speak('When do you open on Sunday?'));
      const [, question, answer] = await lines(3);
      assertHeard(question?.content, 'When do you open on Sunday?');
      // Whole, and nothing twice, also where the first model has begun it.
      assert.deepEqual([answer?.speaker, answer?.content], ['AGENT', OPENING]);
      assertHeard(await voice.recognize(caller.heard()), OPENING);
      assert.ok(asked.includes(model));

      const { timeline } = await eventually(
        async () => (await service.request('GET', `/api/calls/${call_id}`)).body,
        (call) => call.timeline.some(({ failed_over }: Json) => failed_over !== null),
      );
      assert.deepEqual(
        timeline.flatMap(({ failed_over }: Json) => failed_over ?? []),
        [{ kind: 'llm', from: `local/${model}`, to: 'local/rules', reason }],
      );

      const used = await voice.used(MODEL_KEY);
      const tokens = (bill: typeof used) => bill.input_tokens + bill.cached_tokens + bill.output_tokens;
      const items: Json[] = await eventually(
        async () => (await service.request('GET', `/api/usage/events?session_id=${call_id}`)).body.items,
        (events) => sumOf(events.filter(isOfLlm)) === tokens(used) - tokens(before),
      );
      assert.deepEqual([...new Set(items.filter(isOfLlm).map((one) => one.model))], ['rules']);
      await service.request('POST', `/api/calls/${call_id}/end`);
    });
}

const isOfLlm = ({ event_type }: Json): boolean => event_type.startsWith('llm_');
const sumOf = (events: Json[]): number => events.reduce((sum, { quantity }) => sum + Number(quantity), 0);
