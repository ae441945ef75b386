// Language models that call tools: a list neither calls one twice, nor takes a long call for a stall.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, llm } from '@livekit/agents';
import { type Answer, listed, pair, says } from './lists.ts';
import { completion, type StandIn, startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

/** A part of the call of a tool. */
const called = (index: number, args: string, id?: string) => ({
  tool_calls: [
    { index, ...(id && { id, type: 'function' }), function: { ...(id && { name: 'book' }), arguments: args } },
  ],
});

/** The calls of tools with which a list answers. */
async function callsOf(model: unknown): Promise<string[]> {
  const { toolCalls } = await (model as llm.LLM).chat({ chatCtx: llm.ChatContext.empty() }).collect();
  return toolCalls.map(({ callId, args }) => `${callId} ${args}`);
}

test('a tool that was called is not called again by the next model when the rest of the answer does not come', async (t) => {
  const stalls: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of completion([called(0, '{}', 'call_1'), called(1, '{"a', 'call_2')]).slice(0, 2))
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const list = await pair('llm', [stalls, says('No.')], { first_token_ms: 5_000 });
  t.after(list.close);
  assert.deepEqual(await callsOf(list.llm), ['call_1 {}']);
  assert.deepEqual([list.told, list.asked()], [[], [1, 0]]);
});

test('the call of a tool that takes long, piece by piece, is no stall', async (t) => {
  const slow: Answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const pieces = ['', ...'{"a":12345}'].map((piece, index) => called(0, piece, index === 0 ? 'call_1' : undefined));
    for (const chunk of completion(pieces, null, 'tool_calls')) {
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      await sleep(600);
    }
    response.end('data: [DONE]\n\n');
  };
  const list = await pair('llm', [slow, says('No.')], { first_token_ms: 5_000 });
  t.after(list.close);
  assert.deepEqual(await callsOf(list.llm), ['call_1 {"a":12345}']);
  assert.deepEqual([list.told, list.asked()], [[], [1, 0]]);
});

test('nor is that of a model of Anthropic', async (t) => {
  const slow = await startStandIn({
    http: async (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const delta = (partial_json: string) => ({ type: 'input_json_delta', partial_json });
      const usage = { input_tokens: 1, output_tokens: 1 };
      for (const event of [
        { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], usage } },
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 'call_1', name: 'book', input: {} },
        },
        ...[...'{"a":12345}'].map((piece) => ({ type: 'content_block_delta', index: 0, delta: delta(piece) })),
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ]) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        await sleep(600);
      }
      response.end();
    },
  });
  const next = await startStandIn({ http: (asked, response) => says('No.')(response, asked) });
  t.after(() => [slow.close(), next.close()]);
  const told: object[] = [];
  const sections: [StandIn, object][] = [
    [slow, { provider: 'anthropic', model: 'first' }],
    [next, { model: 'second' }],
  ];
  const { llm: list } = listed('llm', sections, { first_token_ms: 5_000 }, (one) => told.push(one));
  assert.deepEqual(await callsOf(list), ['call_1 {"a":12345}']);
  assert.deepEqual(told, []);
});
