// Anthropic was never called with an account: the stand-in is made from the types of the official SDK.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { initializeLogger, type llm } from '@livekit/agents';
import { ask, at, question, USED } from './asking.ts';
import { startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

test('anthropic: words, tool calls and tokens of a stream of messages, with instructions and tools in the cache', async (t) => {
  const block = (index: number, content_block: object, deltas: object[]) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const usage = { input_tokens: 20, cache_read_input_tokens: 40, cache_creation_input_tokens: 40, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'some-model', usage };
  const stream = [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'ping' },
    ...block(0, { type: 'text', text: '' }, [
      { type: 'text_delta', text: 'One ' },
      { type: 'text_delta', text: 'moment.' },
    ]),
    ...block(1, { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }, [
      { type: 'input_json_delta', partial_json: '' },
      { type: 'input_json_delta', partial_json: '{"city":' },
      { type: 'input_json_delta', partial_json: '"Oslo"}' },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ];
  const standIn = await startStandIn({ http: (_, response) => namedEvents(response, stream) });
  t.after(standIn.close);
  const section = { provider: 'anthropic', model: 'some-model', max_tokens: 55 };
  const { llm: model } = at(standIn, 'llm', { ...section, options: { service_tier: 'standard_only' } });
  assert.deepEqual(await ask(model as llm.LLM), {
    text: 'One moment.',
    calls: ['weather {"city":"Oslo"}'],
    used: USED,
  });
  const [{ method, path, headers, body } = assert.fail('not asked')] = standIn.asked;
  assert.deepEqual([method, path], ['POST', '/v1/messages']);
  assert.deepEqual([headers.authorization, headers['anthropic-version']], ['Bearer the-key', '2026-10-21']);
  const { messages, tools, ...fields } = body;
  assert.deepEqual(fields, {
    service_tier: 'standard_only',
    model: 'some-model',
    max_tokens: 55,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    stream: true,
  });
  assert.deepEqual(messages, [
    { role: 'user', content: [{ type: 'text', text: 'Weather in Rome?' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call00001', name: 'weather', input: { city: 'Rome' } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call00001', content: 'sunny', is_error: false },
        { type: 'text', text: 'And in Oslo?' },
      ],
    },
  ]);
  assert.equal(tools.length, 1);
  assert.partialDeepStrictEqual(tools[0], {
    name: 'weather',
    description: 'The weather of a city.',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  });
});

for (const [status, type] of [
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
] as const)
  test(`anthropic: ${status} is an error that the library may repeat, and a broken answer is none`, async (t) => {
    const error = { type: 'error', error: { type, message: 'Too much.' } };
    const standIn = await startStandIn({
      http: ({ body }, response) => {
        if (body.model === 'busy')
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(error));
        else
          namedEvents(response, [
            { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One ' } },
            error,
          ]);
      },
    });
    t.after(standIn.close);
    const failure = async (name: string) => {
      const model = at(standIn, 'llm', { provider: 'anthropic', model: name }).llm as llm.LLM;
      const reported = new Promise<{ error: Error; recoverable: boolean }>((resolve) => model.once('error', resolve));
      const stream = model.chat({
        chatCtx: question(),
        connOptions: { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 10_000 },
      });
      await stream.collect();
      return (await reported).error as Error & { statusCode?: number; retryable: boolean };
    };
    const busy = await failure('busy');
    assert.deepEqual([busy.statusCode, busy.retryable], [status, true]);
    assert.equal((await failure('broken')).retryable, false);
  });

/** Server-sent events with names, as Anthropic sends them. */
function namedEvents(response: ServerResponse, data: readonly ({ type: string } & Record<string, unknown>)[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(data.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join(''));
}
