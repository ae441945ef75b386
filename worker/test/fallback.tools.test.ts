// Language models that call tools: a list neither calls one twice, nor takes a long call for a stall.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger, llm } from '@livekit/agents';
import { type Answer, pair, says } from './lists.ts';
import { completion } from './stand-in.ts';

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
  const list = await pair('llm', [stalls, says('No.')], { first_token_ms: 2_000 });
  t.after(list.close);
  assert.deepEqual(await callsOf(list.llm), ['call_1 {}']);
  assert.deepEqual([list.told, list.asked()], [[], [1, 0]]);
});
