// Scenarios in text: refusals, what must be said first, and keys, as in a call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger } from '@livekit/agents';
import { createRefusal } from '../scenario/audio/refusal.ts';
import { hold } from '../scenario/hold.ts';
import { readPrices } from '../switchboard/prices.ts';
import { calling, startModel, taskOf, words } from './scenario-model.ts';

initializeLogger({ pretty: false, level: 'silent' });

test('a model that notices a refusal, which no phrase does, is offered a tool for it, and says goodbye as in a call', {
  timeout: 60_000,
}, async (t) => {
  const offered: string[][] = [];
  const { llm, settings } = await startModel(t, ({ tools = [] }) => {
    offered.push(tools.map((tool) => tool.function.name));
    return [...words('I see.'), calling('never_call_again', {})];
  });
  const scenario = (say: string) => ({
    scenario: 'x',
    line: { answered_by: 'human' },
    caller: { script: [{ say }, { say: 'Hello?' }] },
    expect: [{ call: { opted_out: true, end_reason: 'agent_hung_up', max_turns: 2 } }],
  });
  const compliance = { disclosure: { text: 'An AI calls.' }, opt_out: { enabled: true, confirm: 'Never again.' } };
  const held = async (say: string, config: object) => {
    const task = taskOf(scenario(say), { llm, ...config });
    const { passed, conversations } = await hold(task, { models: settings, prices: readPrices(null), tape: null });
    return [passed, ...(conversations[0]?.turns ?? []).map((turn) => turn.words)];
  };
  assert.deepEqual(await held('I am sick of you.', { compliance }), [1, 'An AI calls.', 'I see. Never again.']);
  assert.deepEqual(offered, [['never_call_again']]);
  assert.deepEqual(await held('Take me off your list.', { compliance }), [1, 'An AI calls.', 'Never again.']);
  assert.equal(offered.length, 1, 'the model is not asked');
  const [passed] = await held('I am sick of you.', {});
  assert.deepEqual([passed, offered[1]], [0, []]);
});

test('a tool that waits for keys gets those of the script', { timeout: 60_000 }, async (t) => {
  const { llm, settings } = await startModel(t, ({ messages }) =>
    messages.at(-1)?.role === 'tool' ? words('Thank you.') : [...words('Type it.'), calling('collect_account', {})],
  );
  const scenario = {
    scenario: 'x',
    caller: { script: [{ say: 'My balance?' }, { dtmf: '4021#' }, { hang_up: true }] },
    expect: [{ tool: 'collect_account', times: 1 }, { agent_says: 'Thank you' }],
  };
  const tools = { collect_digits: [{ name: 'account', description: 'the account number' }] };
  const means = { models: settings, prices: readPrices(null), tape: null };
  const { passed, conversations } = await hold(taskOf(scenario, { llm, tools }), means);
  assert.equal(passed, 1);
  assert.deepEqual(conversations[0]?.turns[0]?.calls[0]?.text, '4021');
  assert.equal(conversations[0]?.turns.length, 1);
});

test('by voice a refusal is taken once; a tool that fails leaves the answer to the model that has called it', () => {
  const called: boolean[] = [];
  const taken = (isError: boolean, ...noticed: ('service' | 'model')[]) => {
    const said: string[] = [];
    const refused = createRefusal({
      around: { callTool: () => ({ text: 'x', isError, ms: 0 }) },
      called: (call) => called.push(call.isError),
      farewell: { isBegun: () => said.length > 0, finish: (text) => said.push(text) },
      confirm: 'Never again.',
    });
    return [...noticed.map((by) => refused(by).endsCall), ...said];
  };
  assert.deepEqual(taken(false, 'service', 'model'), [true, true, 'Never again.']);
  assert.deepEqual(taken(true, 'model', 'service'), [false, true, 'Never again.']);
  assert.deepEqual(called, [false, true, true]);
});
