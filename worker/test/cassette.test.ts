// Cassettes: recorded answers of models, with which conversations are held again without a model.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { initializeLogger, llm } from '@livekit/agents';
import { readCassette, writeCassette } from '@switchboard/scenarios/cassette';
import { createTape, type Tape } from '@switchboard/scenarios/tape';
import { hold } from '../scenario/hold.ts';
import { TapedLlm } from '../scenario/taped-llm.ts';
import { createUsage } from '../scenario/usage.ts';
import { readPrices, type Used } from '../switchboard/prices.ts';
import { calling, words } from './scenario-model.ts';
import { completion, events, startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-cassettes-'));
const reports = mkdtempSync(path.join(tmpdir(), 'switchboard-cassette-reports-'));
after(() => [dir, reports].forEach((one) => void rmSync(one, { recursive: true })));

const USAGE = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
const KEY = 'secret-of-the-provider';
const TIMEOUT = { timeout: 110_000 };

interface Body {
  messages: { role: string; content: string }[];
  tools?: { function: { name: string } }[];
}

/** The deltas of an answer: of the agent, of a judge, or of a caller who hangs up once they have heard it. */
function answerTo({ messages, tools = [] }: Body, count: number): object[] {
  const isAsked = (name: string) => tools.some((tool) => tool.function.name === name);
  if (isAsked('decide')) return [calling('decide', { reason: 'It is.', holds: true }, `call_${count}`)];
  if (isAsked('hang_up'))
    return messages.length > 2 ? [calling('hang_up', {}, `call_${count}`)] : words(`A table, try number ${count}.`);
  if (messages.at(-1)?.role === 'tool') return words(`It is booked, number ${count}.`);
  return [...words('One moment.'), calling('book', { people: 2 }, `call_${count}`)];
}

/** A model in OpenAI's protocol that books a table, and then says so: each time with other ids, and in other words. */
async function startModel(t: TestContext) {
  let count = 0;
  const model = await startStandIn({
    http: ({ body }, response) => {
      count++;
      const deltas = answerTo(body as Body, count);
      events(
        response,
        completion(deltas, USAGE, 'tool_calls' in (deltas.at(-1) ?? {}) ? 'tool_calls' : 'stop'),
        '[DONE]',
      );
    },
  });
  t.after(model.close);
  return { model, base_url: `${model.origin}/v1` };
}

const SCENARIO = {
  scenario: 'books a table',
  clock: '2026-06-12T09:00:00+02:00',
  caller: { script: [{ say: 'A table for two, please.' }, { say: 'And another one.' }, { hang_up: true }] },
  tools: { book: { return: { ok: true }, after_ms: 400 } },
  expect: [{ tool: 'book', times: 2 }, { agent_says: 'booked' }, { latency: { first_word_p95_ms: 60_000 } }],
} as const;
const BOOK = { name: 'book', description: 'Books a table.', url: 'https://shop.example/book' };
const agentAt = (base_url: string) => ({
  instructions: 'You book tables.',
  llm: { model: 'm', base_url, temperature: 0.2, options: { api_key: KEY, seed: 7 } },
  tools: { functions: [BOOK] },
});

/** Runs the command in its folder, and returns what it says, and its report. */
async function command(args: string[], env: Record<string, string> = {}, node = process.execPath) {
  const script = path.resolve(import.meta.dirname, '../../packages/scenarios/scripts/agent-tests.ts');
  const report = path.join(reports, 'report.json');
  const all = [...process.execArgv, script, ...args, '--json', report, '.'];
  const options = { env: { INIT_CWD: dir, NO_COLOR: '1', ...env }, cwd: dir, timeout: 100_000 };
  const told = await new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) =>
    execFile(node, all, options, (error, stdout, stderr) => resolve({ status: error?.code ?? 0, stdout, stderr })),
  );
  return { ...told, report: () => JSON.parse(readFileSync(report, 'utf8')) };
}

test('what was recorded is replayed without the model, and is the same in every time zone', TIMEOUT, async (t) => {
  const { model, base_url } = await startModel(t);
  const agent = (instructions: string) =>
    JSON.stringify({ format: 'switchboard.agent/1', name: 'A', config: { ...agentAt(base_url), instructions } });
  writeFileSync(path.join(dir, 'a.agent.json'), agent('You book tables.'));
  writeFileSync(path.join(dir, 'b.agent.json'), agent('You book tables for two only.'));
  writeFileSync(path.join(dir, 'table.json'), JSON.stringify(SCENARIO));
  const recorded = await command(['--agent', 'a.agent.json', '--record', '--runs', '2'], {
    MODEL_BASE_URLS: `${base_url}=MODEL_KEY`,
    MODEL_KEY: KEY,
  });
  assert.deepEqual([recorded.stderr, recorded.status], ['', 0]);
  const report = recorded.report();
  const asked = model.asked.length;
  assert.equal(asked, 8);
  const cassette = readFileSync(path.join(dir, 'table.cassette.json'), 'utf8');
  for (const secret of [KEY, base_url]) assert.ok(!cassette.includes(secret));

  const hashes = [];
  // CI names another Node.js, which nobody else has to.
  for (const [TZ, node] of [['Pacific/Kiritimati'], ['America/New_York', process.env.OTHER_NODE]] as const) {
    const replayed = await command(['--agent', 'a.agent.json', '--replay', '--runs', '2'], { TZ }, node);
    assert.deepEqual([replayed.stderr, replayed.status], ['', 0]);
    hashes.push(replayed.report().hash);
    assert.deepEqual(
      replayed.report().scenarios[0].runs.map((run: { trace: object }) => run.trace),
      report.scenarios[0].runs.map((run: { trace: object }) => run.trace),
    );
  }
  assert.deepEqual(hashes, [report.hash, report.hash]);

  const worse = await command(['--agent', 'b.agent.json', '--replay']);
  assert.equal(worse.status, 1);
  assert.match(worse.stdout, /regressed +books a table/);
  assert.match(worse.stdout, /This request was never recorded\. The nearest one is exchange 0:/);
  assert.match(
    worse.stdout,
    /- message 0 was recorded as ".*You book tables\." and now is ".*You book tables for two only\."/,
  );
  assert.equal(model.asked.length, asked);
});

test('what cannot be replayed is told', TIMEOUT, async () => {
  writeFileSync(path.join(dir, 'a.agent.json'), JSON.stringify({ config: agentAt('http://127.0.0.1:9/v1') }));
  rmSync(path.join(dir, 'table.cassette.json'), { force: true });
  writeFileSync(path.join(dir, 'table.json'), JSON.stringify(SCENARIO));
  const missing = await command(['--agent', 'a.agent.json', '--replay']);
  assert.deepEqual([missing.status, /Nothing is recorded: record it first/.test(missing.stdout)], [1, true]);
  const keyless = await command(['--agent', 'a.agent.json', '--record']);
  assert.deepEqual([keyless.status, /is not listed in MODEL_BASE_URLS/.test(keyless.stderr)], [2, true]);
  const both = await command(['--agent', 'a.agent.json', '--replay', '--record']);
  assert.deepEqual([both.status, both.stderr], [2, '--record and --replay do not go together.\n']);
});

/** Holds the scenario once with a tape. */
function holdWith(
  tape: Tape | null,
  config: Record<string, unknown>,
  models: Parameters<typeof hold>[1]['models'],
  onUsed: (used: Used) => void = () => {},
) {
  const expect = [...SCENARIO.expect, { judge: 'is polite', votes: 3 }];
  const task = { config, scenario: { ...SCENARIO, expect }, runs: 1 };
  return hold(task, { models, prices: readPrices(null), tape, onUsed });
}

test('judges, lists of models and costs are replayed too', TIMEOUT, async (t) => {
  const { model, base_url } = await startModel(t);
  const { llm, ...rest } = agentAt(base_url);
  const config = { ...rest, llm: [{ provider: 'openai', base_url: 'http://127.0.0.1:9/v1', model: 'down' }, llm] };
  const models = { keys: {}, baseUrls: new Map([base_url, 'http://127.0.0.1:9/v1'].map((url) => [url, 'key'])) };
  const tape = createTape('record');
  const usage = createUsage(readPrices(null));
  const recorded = await holdWith(tape, config, models, usage.add);
  // The agent's answers, and three votes.
  // By its address, a server on the same machine.
  const of = { provider: 'local', model: 'm' };
  assert.deepEqual(usage.booked(), [
    { ...of, event_type: 'llm_input_tokens', quantity: '70' },
    { ...of, event_type: 'llm_output_tokens', quantity: '14' },
  ]);
  assert.deepEqual([recorded.passed, recorded.problems], [1, []]);
  const asked = model.asked.length;
  const cassette = JSON.parse(JSON.stringify(writeCassette('books a table', tape.exchanges())));
  const votes = cassette.exchanges.find(({ answers }: { answers: unknown[] }) => answers.length === 3);
  assert.deepEqual([votes?.continues, votes?.settings > 0], [null, true]);
  // Each request is written as what it adds to the one before it.
  assert.deepEqual(
    cassette.exchanges.slice(0, 4).map(({ messages }: { messages: unknown[] }) => messages.length),
    [2, 3, 2, 3],
  );
  const free = createUsage(readPrices(null));
  const none = { keys: {}, baseUrls: new Map() };
  const replayed = await holdWith(createTape('replay', readCassette(cassette)), config, none, free.add);
  assert.deepEqual(replayed, recorded);
  assert.deepEqual(free.booked(), []);
  assert.equal(model.asked.length, asked);

  const judged = { ...cassette, exchanges: cassette.exchanges.filter((one: object) => one !== votes) };
  const without = await holdWith(createTape('replay', readCassette(judged)), config, { keys: {}, baseUrls: new Map() });
  assert.deepEqual([without.invalid, without.conversations[0]?.turns.length], [1, 2]);
});

test(
  'a caller whom a model plays is replayed without the model, and another persona was never recorded',
  TIMEOUT,
  async (t) => {
    const { model, base_url } = await startModel(t);
    const config = agentAt(base_url);
    const models = { keys: {}, baseUrls: new Map([[base_url, 'key']]) };
    const holdPersona = (goal: string, tape: Tape, given: Parameters<typeof hold>[1]['models']) => {
      const expect = [{ tool: 'book', times: 1 }, { call: { end_reason: 'caller_hung_up', max_turns: 2 } }];
      const scenario = { ...SCENARIO, caller: { persona: { goal } }, expect };
      return hold({ config, scenario, runs: 2 }, { models: given, prices: readPrices(null), tape });
    };
    const tape = createTape('record');
    const recorded = await holdPersona('Book a table.', tape, models);
    assert.deepEqual([recorded.passed, recorded.problems], [2, []]);
    // Each caller says something else.
    assert.equal(new Set(recorded.conversations.map(({ turns }) => turns[0]?.heard)).size, 2);
    const asked = model.asked.length;
    const cassette = readCassette(JSON.parse(JSON.stringify(writeCassette('books a table', tape.exchanges()))));
    const none = { keys: {}, baseUrls: new Map() };
    assert.deepEqual(await holdPersona('Book a table.', createTape('replay', cassette), none), recorded);
    const other = await holdPersona('Cancel a table.', createTape('replay', cassette), none);
    assert.equal(other.failed, 2);
    assert.match(other.conversations[0]?.error ?? '', /never recorded.*Cancel a table/s);
    assert.equal(model.asked.length, asked);
  },
);

test('a cassette that was changed, or is none, is refused', () => {
  const request = {
    models: [{ provider: 'openai' }],
    parameters: {},
    tools: [],
    messages: [{ role: 'user', words: 'Hi.' }],
  };
  const answer = { provider: 'openai', model: 'm', words: 'Hello.', calls: [], usage: null, first_word_ms: 1, ms: 2 };
  const cassette = writeCassette('x', [{ request, answers: [answer] }]);
  assert.deepEqual(readCassette(cassette), [{ request, answers: [answer] }]);
  const [exchange] = cassette.exchanges;
  const changed = { ...cassette, exchanges: [{ ...exchange, messages: [{ role: 'user', words: 'Ho.' }] }] };
  assert.throws(() => readCassette(changed), /The request of exchange 0 was changed/);
  assert.throws(() => readCassette({ ...cassette, exchanges: [{ ...exchange, continues: 3 }] }), /refers to something/);
  assert.throws(() => readCassette({ exchanges: [] }), /It is no cassette/);
  const large = { ...answer, words: 'x'.repeat(600_000) };
  assert.throws(() => writeCassette('x', [{ request, answers: [large] }]), /at most 524288/);
});

test('a request is the same whether the library has the words of an answer or its calls of tools first', () => {
  const call = llm.FunctionCall.create({ callId: 'a', name: 'book', args: '{}' });
  const said = llm.ChatMessage.create({ role: 'assistant', content: 'One moment.' });
  const output = llm.FunctionCallOutput.create({ callId: 'a', name: 'book', output: 'ok', isError: false });
  const taped = new TapedLlm(createTape('replay'), [{ provider: 'local', options: {} }] as never, () => assert.fail());
  const requests = [
    [said, call, output],
    [call, said, output],
  ].map((items) => taped.request({ chatCtx: new llm.ChatContext(items) }, undefined));
  assert.deepEqual(requests[1], requests[0]);
  assert.equal(requests[0]?.messages[0]?.words, 'One moment.');
});
