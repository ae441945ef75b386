// The provider `local`: the rules that answer from the instructions, without a key, in calls and in chats.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { llm } from '@livekit/agents';
import { readConfig } from '../conversation/config.ts';
import { createModels } from '../conversation/models.ts';
import { usedBy } from '../conversation/report.ts';
import { startChats, until } from './chat-service.ts';

const instructions = 'You answer for a library. The library opens at ten on Sundays.';
const keys = { openai: 'unused' };
const rules = () => {
  const config = readConfig({ config: { instructions, llm: { provider: 'local' } }, variables: {} });
  return createModels(config, { keys, baseUrls: new Map() }).llm as llm.LLM;
};
const opening = llm.tool({
  name: 'opening_hours',
  description: 'The opening hours of a branch.',
  parameters: { type: 'object', properties: { branch: { type: 'string' } }, required: [] },
  execute: async () => '',
});

function conversation(...said: [llm.ChatRole, string][]): llm.ChatContext {
  const chatCtx = llm.ChatContext.empty();
  for (const [role, content] of said) chatCtx.addMessage({ role, content });
  return chatCtx;
}

test('the rules answer from the instructions without a key, and are booked as local', async () => {
  const model = rules();
  const measured = once(model, 'metrics_collected');
  const chatCtx = conversation(['system', instructions], ['user', 'When do you open on Sunday?']);
  assert.equal((await model.chat({ chatCtx }).collect()).text, 'The library opens at ten on Sundays.');
  const [metrics] = await measured;
  assert.deepEqual(
    usedBy(metrics).map(({ provider, model: name, unit, quantity }) => `${provider}/${name} ${unit} ${quantity}`),
    ['local/rules llm_input_tokens 18', 'local/rules llm_output_tokens 7'],
  );
});

test('the rules call a tool whose words match, unless they may not, and say its result', async () => {
  const model = rules();
  const chatCtx = conversation(['system', instructions], ['user', 'Please call the function opening_hours.']);
  const toolCtx = new llm.ToolContext([opening]);
  const { toolCalls } = await model.chat({ chatCtx, toolCtx }).collect();
  assert.deepEqual(
    toolCalls.map(({ name, args }) => [name, args]),
    [['opening_hours', '{}']],
  );
  const none = await model.chat({ chatCtx, toolCtx, toolChoice: 'none' }).collect();
  assert.deepEqual(none.toolCalls, []);
  const [call = assert.fail('no call')] = toolCalls;
  chatCtx.items.push(
    llm.FunctionCall.create({ ...call, args: '{}' }),
    llm.FunctionCallOutput.create({ callId: call.callId, name: call.name, output: '"From ten"', isError: false }),
  );
  assert.equal((await model.chat({ chatCtx, toolCtx }).collect()).text, 'From ten.');
});

test('a chat is answered by the rules', async (t) => {
  const { add, outcomes, sent, events } = await startChats(t, () => assert.fail('a provider was asked'));
  add('When do you open on Sunday?', { instructions, llm: { provider: 'local' } });
  await until(() => outcomes.length > 0);
  assert.deepEqual(
    sent('/complete').map(({ result }) => result),
    [{ content: 'The library opens at ten on Sundays.' }],
  );
  const usage = { type: 'usage', model: 'rules', input_tokens: 20, output_tokens: 7 };
  assert.partialDeepStrictEqual(
    events().find(({ type }) => type === 'usage'),
    usage,
  );
});
