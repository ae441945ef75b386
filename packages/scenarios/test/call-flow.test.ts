/** The parts of a call around the answers of a model: what must be said first, refusals, and keys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { reply } from '@switchboard/rules';
import type { Entry } from '../src/keys.ts';
import { readScenario } from '../src/read.ts';
import { createRulesAgent, type RulesConfig } from '../src/rules-agent.ts';
import { runScenario } from '../src/run.ts';

const CONFIG = {
  greeting: 'Hello {{name}}, this is the practice.',
  instructions: 'The practice opens at nine.',
  tools: { hang_up: true },
};

async function run(text: string, config: RulesConfig) {
  const { scenario, problems } = readScenario(text);
  assert.ok(scenario, JSON.stringify(problems));
  return runScenario(scenario, (around) => createRulesAgent(config, scenario.variables ?? {}, around));
}

const COMPLIANT = {
  ...CONFIG,
  compliance: {
    disclosure: { text: 'This is an AI of {{name}}.' },
    opt_out: { enabled: true, confirm: 'We will not call {{name}} again.' },
  },
};
const refusing = (words: string, more = '') => `scenario: refuses
variables: { name: Ada }
${more}caller: { script: [{ say: "${words}" }, { say: "Hello?" }] }
expect: [{ call: { opted_out: true, end_reason: agent_hung_up } }, { tool: never_call_again, times: 1 }]`;

test('who wants no more calls is told so and hung up on, whatever the model says, as in a call', async () => {
  for (const words of ['Please take me off your list.', 'Nehmen Sie mich aus Ihrer Liste.', 'Stop calling me!']) {
    const { status, trace } = await run(refusing(words), COMPLIANT);
    assert.equal(status, 'passed', words);
    const [last = assert.fail()] = trace.turns.slice(1);
    assert.deepEqual([last.heard, last.words], [words, 'We will not call Ada again.']);
    assert.equal(last.decisions[0]?.model, 'opt-out phrases');
  }
  for (const [words, config] of [
    ['Stop calling me!', CONFIG],
    ['Please stop calling me!', { ...COMPLIANT, compliance: { opt_out: { enabled: false } } }],
    ['My brother will not stop calling me.', { ...COMPLIANT, tools: {} }],
  ] as const) {
    const { status, checks } = await run(refusing(words), config);
    assert.deepEqual([status, checks[0]?.outcome], ['failed', 'failed'], words);
  }
  const unsaid = { ...COMPLIANT, compliance: { opt_out: { enabled: true } } };
  const [, last] = (await run(refusing('Stop calling me.'), unsaid)).trace.turns;
  assert.equal(last?.words, 'I understand. You will not be called any more. Goodbye.');
});

test('an agent that has called says first what it must', async () => {
  const said = async (more: string, config: RulesConfig = COMPLIANT) => {
    const { trace } = await run(refusing('Hello?', more), config);
    return trace.turns[0]?.words;
  };
  const [disclosure, greeting] = ['This is an AI of Ada.', 'Hello Ada, this is the practice.'];
  assert.equal(await said('line: { answered_by: human }\n'), `${disclosure} ${greeting}`);
  assert.equal(await said(''), greeting, 'it was called');
  const voicemail = { action: 'leave_message', message: 'Call us back.' };
  assert.equal(await said('', { ...COMPLIANT, voicemail }), `${disclosure} ${greeting}`);
  const machine = refusing('Please leave a message after the tone.');
  const { trace } = await run(machine, { ...COMPLIANT, voicemail });
  assert.equal(trace.turns[0]?.words, `${disclosure} Call us back.`);
  const { greeting: _, ...mute } = COMPLIANT;
  assert.equal(await said('line: { answered_by: human }\n', mute), disclosure);
});

test('a tool that waits for keys takes those that the caller presses next', async () => {
  const heard: string[] = [];
  const pin = async (script: string, entry: Entry = {}, tools = '{}') => {
    const text = `scenario: keys\ncaller: { script: [${script}] }\ntools: ${tools}\nexpect: [{ tool: collect_pin }]`;
    const { scenario, problems } = readScenario(text);
    assert.ok(scenario, JSON.stringify(problems));
    heard.length = 0;
    const { trace } = await runScenario(scenario, (around) => {
      const hear = async (words: string) => {
        heard.push(words);
        const call = around.enter('collect_pin', entry) ?? around.callTool('collect_pin', {});
        const calls = heard.length > 1 ? [] : [{ name: 'collect_pin', arguments: {}, ...call }];
        return { words: '', calls, decisions: [], first_word_ms: null, ends: null };
      };
      return { open: async () => null, hear, press: (keys) => hear(`[${keys}]`), cost: () => null };
    });
    return [trace.turns[0]?.calls[0]?.text, trace.duration_ms, ...heard];
  };
  assert.deepEqual(await pin('{ say: a }, { after_ms: 500, dtmf: "4021#" }, { say: b }'), ['4021', 10_500, 'a', 'b']);
  const limits = { max: 3, finish_on: '*', timeout_s: 2 };
  assert.deepEqual(await pin('{ say: a }, { dtmf: "4*21" }', limits), ['4', 0, 'a']);
  assert.deepEqual(await pin('{ say: a }, { dtmf: "40215" }', { max: 3 }), ['402', 0, 'a']);
  assert.deepEqual(await pin('{ say: a }, { dtmf: "40" }', { sensitive: true }), [
    'The caller has pressed 2 keys, which only functions may know.',
    0,
    'a',
  ]);
  assert.deepEqual(await pin('{ say: a }', limits), ['The caller has pressed no key.', 2_000, 'a']);
  const played = await pin('{ say: a }, { dtmf: "1" }', {}, '{ collect_pin: { text: "7" } }');
  assert.deepEqual(played, ['7', 0, 'a', '[1]']);
});

test('a refusal that the model notices in the first words is confirmed, too', async () => {
  const { greeting: _, ...mute } = COMPLIANT;
  const config = { ...mute, compliance: { opt_out: COMPLIANT.compliance.opt_out }, voicemail: { action: 'hang_up' } };
  const { scenario } = readScenario(refusing('I am sick of you.'));
  assert.ok(scenario);
  const think: typeof reply = (messages, _tools, options) =>
    options?.mustCall
      ? { text: '', call: { name: 'save_prediction', arguments: { label: 'human' } } }
      : { text: '', call: messages.at(-1)?.role === 'tool' ? null : { name: 'never_call_again', arguments: {} } };
  const { status, trace } = await runScenario(scenario, (around) =>
    createRulesAgent(config, { name: 'Ada' }, around, think),
  );
  assert.deepEqual([status, trace.turns[0]?.words], ['passed', 'We will not call Ada again.']);
});

test('a scenario plays the tool that takes refusals, and whoever is heard to refuse is hung up on even if it fails', async () => {
  const held = async (stand_in: string) => {
    const text = `tools: { never_call_again: ${stand_in} }\n${refusing('Stop calling me!')}`;
    const { trace } = await run(text, COMPLIANT);
    const { words = '', calls = [] } = trace.turns[1] ?? {};
    return [words, trace.end_reason, ...calls.map(({ text, isError }) => [text, isError])];
  };
  const goodbye = ['We will not call Ada again.', 'agent_hung_up'];
  assert.deepEqual(await held('{ text: "noted" }'), [...goodbye, ['noted', false]]);
  const [words, end, [, isError] = []] = await held('{ status: 500 }');
  assert.deepEqual([words, end, isError], [...goodbye, true]);
});

test('rules have the caller press keys, too', async () => {
  const config = { tools: { collect_digits: [{ name: 'account', description: 'the account number', max: 4 }] } };
  const { status, checks, trace } = await run(
    `scenario: keys
caller: { script: [{ say: "I would like to tell you my account number." }, { dtmf: "40215" }, { hang_up: true }] }
expect: [{ tool: collect_account, times: 1 }]`,
    config,
  );
  assert.equal(status, 'passed', JSON.stringify(checks));
  assert.equal(trace.turns.find(({ calls }) => calls.length > 0)?.calls[0]?.text, '4021');
  assert.ok(!trace.turns.some(({ heard }) => heard === '[40215]'));
});
