// Scenarios: their conversations are held with the agent's model, and their tools are played by stand-ins.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { initializeLogger } from '@livekit/agents';
import { createSwitchboard, type ScenarioTask } from '@switchboard/client';
import { holdAll } from '@switchboard/scenarios/outcome';
import { readScenario } from '@switchboard/scenarios/read';
import { createRulesAgent } from '@switchboard/scenarios/rules-agent';
import type { Scenario } from '@switchboard/scenarios/schema';
import { TEMPLATES } from '../../packages/templates/src/templates.ts';
import { hold, type Means } from '../scenario/hold.ts';
import { serveScenarios } from '../scenario/scenarios.ts';
import { readPrices } from '../switchboard/prices.ts';
import { until } from './chat-service.ts';
import { calling, startModel, taskOf, words } from './scenario-model.ts';
import { startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

const root = path.resolve(import.meta.dirname, '../..');
const NO_KEYS = { keys: {}, baseUrls: new Map<string, string>() };
const BOOKING: Scenario = {
  scenario: 'books a table',
  caller: { script: [{ say: 'A table for two, please.' }, { hang_up: true }] },
  world: { bookings: [] },
  tools: {
    book: {
      when: { people: 2 },
      patch: [{ op: 'add', path: '/bookings/-', value: { people: 2 } }],
      return: { ok: true },
    },
  },
  expect: [{ tool: 'book', times: 1 }, { world: { bookings: [{ people: 2 }] } }, { agent_says: 'booked' }],
};
const BOOK = { name: 'book', description: 'Books a table.', url: 'https://shop.example/book' };

for (const { key, config } of TEMPLATES)
  test(`the scenarios of the template ${key} go as in the sandbox, with the local model`, {
    timeout: 120_000,
  }, async () => {
    const files = globSync(`packages/templates/scenarios/${key}/*.yaml`, { cwd: root }).sort();
    assert.ok(files.length >= 10);
    for (const file of files) {
      const { scenario } = readScenario(readFileSync(path.join(root, file), 'utf8'));
      assert.ok(scenario, file);
      const local = { ...config, llm: { provider: 'local' } };
      const [worker, sandbox] = [
        await hold(taskOf(scenario, local), { models: NO_KEYS, prices: readPrices(null), tape: null }),
        await holdAll(scenario, 1, (around) => createRulesAgent(config, scenario.variables ?? {}, around)),
      ];
      const seen = ({ conversations: [one], ...counts }: typeof worker) => ({
        ...counts,
        ...one,
        turns: one?.turns.map(({ decisions: _, ...turn }) => turn),
      });
      assert.deepEqual(seen(worker), seen(sandbox), file);
      assert.equal(worker.passed, 1, file);
    }
  });

test('a stand-in plays the function of an agent, whose model gets its result; nobody is called', {
  timeout: 60_000,
}, async (t) => {
  const { model, llm, settings } = await startModel(t, ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? words('It is ', 'booked.')
      : [...words('One moment.'), calling('book', { people: 2 })],
  );
  const config = { instructions: 'Book tables.', greeting: 'Hello.', llm, tools: { functions: [BOOK] } };
  const outcome = await hold(taskOf(BOOKING, config, 2), { models: settings, prices: readPrices(null), tape: null });
  assert.deepEqual([outcome.passed, outcome.problems], [2, []]);
  const [conversation] = outcome.conversations;
  assert.equal(conversation?.times, 2);
  assert.equal(conversation?.cost, null, 'the price is not known');
  const [greeting, turn] = conversation?.turns ?? [];
  assert.deepEqual([greeting?.words, greeting?.decisions], ['Hello.', []]);
  assert.equal(turn?.words, 'One moment. It is booked.');
  assert.deepEqual(turn?.calls, [
    { name: 'book', arguments: { people: 2 }, text: '{"ok":true}', is_error: false, ms: 0 },
  ]);
  assert.deepEqual(
    turn?.decisions.map(({ words: said, calls }) => [said, calls]),
    [
      ['One moment.', ['book']],
      ['It is booked.', []],
    ],
  );
  const roles = model.asked[1]?.body.messages.map(({ role }: { role: string }) => role);
  assert.deepEqual(roles, ['system', 'assistant', 'user', 'assistant', 'tool']);
});

test('the call ends when the model hangs up, and a model that is priced has a cost', { timeout: 60_000 }, async (t) => {
  const { llm, settings } = await startModel(t, () => [...words('Goodbye.'), calling('hang_up', {})]);
  const scenario = {
    scenario: 'x',
    caller: { script: [{ say: 'Bye.' }, { say: 'Bye?' }] },
    expect: [{ call: { end_reason: 'agent_hung_up' } }],
  };
  const prices = { priceOf: ({ unit }: { unit: string }) => (unit === 'llm_output_tokens' ? '0.5' : '0') };
  const outcome = await hold(taskOf(scenario, { llm, tools: { hang_up: true } }), {
    models: settings,
    prices,
    tape: null,
  });
  assert.equal(outcome.passed, 1);
  assert.deepEqual([outcome.conversations[0]?.turns.length, outcome.conversations[0]?.cost], [1, '1']);
});

test('a model plays the caller, and others judge by their majority', { timeout: 60_000 }, async (t) => {
  let votes = 0;
  let turns = 0;
  const { llm, settings } = await startModel(t, ({ tools = [] }) => {
    const names = tools.map((tool) => tool.function.name);
    if (names.includes('decide')) return [calling('decide', { reason: `vote ${votes}`, holds: votes++ !== 1 })];
    if (names.includes('hang_up'))
      return turns++ === 0 ? words('When do you open?') : [...words('Thanks, bye.'), calling('hang_up', {})];
    return words('At ten.');
  });
  const caller = { persona: { goal: 'Learn when they open.', model: llm } };
  const expect = [{ agent_says: 'ten' }, { judge: 'is polite', votes: 3 }, { call: { end_reason: 'caller_hung_up' } }];
  const outcome = await hold(taskOf({ scenario: 'x', caller, expect }, { llm }), {
    models: settings,
    prices: readPrices(null),
    tape: null,
  });
  assert.deepEqual([outcome.passed, outcome.problems], [1, []]);
  const [{ turns: held, checks } = assert.fail()] = outcome.conversations;
  assert.deepEqual(
    held.map(({ heard, words: said }) => [heard, said]),
    [
      ['When do you open?', 'At ten.'],
      ['Thanks, bye.', 'At ten.'],
    ],
  );
  assert.deepEqual(
    checks[1]?.votes?.map(({ holds }) => holds),
    [true, false, true],
  );
});

test('a machine that answers the phone is not talked to', { timeout: 60_000 }, async (t) => {
  const { llm, settings } = await startModel(t, () => [calling('save_prediction', { label: 'machine-vm' })]);
  const scenario = {
    scenario: 'x',
    caller: { script: [{ say: 'Leave a message after the beep.' }] },
    expect: [{ agent_says: 'Call us' }],
  };
  const config = { llm, greeting: 'Hello.', voicemail: { action: 'leave_message', message: 'Call us back.' } };
  const outcome = await hold(taskOf(scenario, config), { models: settings, prices: readPrices(null), tape: null });
  assert.deepEqual([outcome.passed, outcome.conversations[0]?.end_reason], [1, 'agent_hung_up']);
});

/** A worker that claims the task from a service that answers everything else with `status`. */
async function serve(t: TestContext, payload: ScenarioTask, given: Means['models'], statusOf = (_path: string) => 200) {
  const waiting = [{ task_id: 't1', kind: 'scenario', lease_token: 7, payload }];
  const service = await startStandIn({
    http: ({ path: at }, response) => {
      const tasks = at.endsWith('/claim') ? waiting.splice(0) : [];
      const status = statusOf(at);
      const body =
        status === 200 ? { tasks } : { code: status === 409 ? 'lease_lost' : 'validation_error', detail: 'no' };
      const answer = () => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      setTimeout(answer, 20);
    },
  });
  const scenarios = serveScenarios({
    tasks: createSwitchboard({ baseUrl: service.origin, retryDelayMs: 1 }).tasks,
    settings: {
      models: { ...given, azureEndpoint: null, keys: { ...given.keys }, baseUrls: new Map(given.baseUrls) },
      pricesFile: null,
      maxTests: 1,
      // Nobody is there.
      livekitUrl: 'ws://127.0.0.1:9',
      livekitApiKey: 'key',
      livekitApiSecret: 'secret',
      phoneHost: null,
    },
    log: { error: () => {}, warn: () => {} },
    extendMs: 100,
  });
  t.after(async () => {
    await scenarios.stop(0);
    service.close();
  });
  const sent = (end: string) => service.asked.filter(({ path: at }) => at.endsWith(end)).map(({ body }) => body);
  return { sent, scenarios };
}

const LOCAL = { instructions: 'We open at ten on Sundays.', llm: { provider: 'local' } };
const OPENS = {
  scenario: 'opens',
  caller: { script: [{ say: 'When do you open on Sundays?' }] },
  expect: [{ agent_says: 'ten' }],
};

test('a worker claims scenarios, and completes each with its outcome', { timeout: 60_000 }, async (t) => {
  const { sent } = await serve(t, taskOf(OPENS, LOCAL, 3), NO_KEYS);
  await until(() => sent('/complete').length > 0);
  assert.equal(sent('/claim')[0]?.kind, 'scenario');
  assert.partialDeepStrictEqual(sent('/complete')[0], {
    lease_token: 7,
    result: { passed: 3, failed: 0, invalid: 0, is_complete: true },
  });
});

test('what the worker has no price of costs what the price book says, and is booked at that', {
  timeout: 60_000,
}, async (t) => {
  const { llm, settings } = await startModel(t, () => words('At ten.'));
  // By its address, a server on the same machine.
  const of = { provider: 'local', price: '0.5' };
  const prices: ScenarioTask['prices'] = [
    { ...of, event_type: 'llm_output_tokens', model: 'm', price: '0.25' },
    { ...of, event_type: 'llm_output_tokens', model: null },
    { ...of, event_type: 'llm_input_tokens', model: null },
    { ...of, event_type: 'llm_input_tokens', model: 'other', price: '9' },
  ];
  const resultOf = async (max: string) => {
    const scenario = { ...OPENS, expect: [{ cost: { max } }] };
    const { sent } = await serve(t, { ...taskOf(scenario, { ...LOCAL, llm }), prices }, settings);
    await until(() => sent('/complete').length > 0);
    return sent('/complete')[0].result;
  };
  const [within, beyond] = [await resultOf('5.5'), await resultOf('5.4')];
  assert.deepEqual([within.passed, beyond.failed, within.conversations[0].cost], [1, 1, '5.5']);
  const model = { provider: 'local', model: 'm' };
  assert.deepEqual(within.used, [
    { ...model, event_type: 'llm_input_tokens', quantity: '10', unit_cost: '0.5' },
    { ...model, event_type: 'llm_output_tokens', quantity: '2', unit_cost: '0.25' },
  ]);
});

for (const [what, llm, isRetryable, error] of [
  ['without a key', { model: 'm' }, false, /OPENAI_API_KEY/],
  ['that cannot be reached', { model: 'm', base_url: 'http://127.0.0.1:9/v1' }, true, /./],
] as const)
  test(`a scenario of a model ${what} is not held, and says why`, { timeout: 60_000 }, async (t) => {
    const models = { keys: { openai: null }, baseUrls: new Map([['http://127.0.0.1:9/v1', 'key']]) };
    const { sent } = await serve(t, taskOf(OPENS, { ...LOCAL, llm }), models);
    await until(() => sent('/fail').length > 0);
    const [failure] = sent('/fail');
    assert.deepEqual([failure.lease_token, failure.retryable], [7, isRetryable]);
    assert.match(failure.error, error);
    assert.deepEqual(sent('/complete'), []);
  });

test('a scenario whose lease is lost has no result, and one that the service refuses fails for good', {
  timeout: 60_000,
}, async (t) => {
  const silent = await startStandIn({});
  t.after(silent.close);
  const base_url = `${silent.origin}/v1`;
  const slow = taskOf(OPENS, { ...LOCAL, llm: { model: 'm', base_url } });
  const lost = await serve(t, slow, { keys: {}, baseUrls: new Map([[base_url, 'key']]) }, (at) =>
    at.endsWith('/heartbeat') && silent.asked.length > 0 ? 409 : 200,
  );
  await until(() => silent.asked.length > 0);
  // Claims the next one only once it has let go of this one.
  await until(() => lost.sent('/claim').length > 1);
  assert.deepEqual([lost.sent('/complete'), lost.sent('/fail')], [[], []]);
  const refused = await serve(t, taskOf(OPENS, LOCAL), NO_KEYS, (at) => (at.endsWith('/complete') ? 422 : 200));
  await until(() => refused.sent('/fail').length > 0);
  assert.deepEqual(refused.sent('/fail')[0]?.retryable, false);
});

test('a conversation in text is not held for an agent that has a realtime model alone', async () => {
  const means: Means = { models: NO_KEYS, prices: readPrices(null), tape: null };
  const config = { instructions: 'You book tables.', realtime: { provider: 'openai' } };
  await assert.rejects(async () => hold(taskOf(BOOKING, config), means), /a realtime model, which does not write/);
});
