/** Tests of agents by phone: a worker's phone behind the real bridge, a real recognizer and voice. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { missingVoice, startVoice } from '@switchboard/testkit/voice.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { makeSpool, startWorker } from '../support/worker.ts';
import { closeAfterwards } from '../support/worker-lab.ts';
import { PORTS } from './support/network.ts';
import { setUp } from './support/setup.ts';
import { USER } from './support/switchboard.ts';

const OPENING = 'The library opens at ten on Sundays.';
/** Longer than the library takes for its own echo at first, in which nobody interrupts. */
const WELCOME =
  'Welcome to the library. We have books and newspapers and music for everybody, and we are happy to help you with all of them today.';
const MESSAGE = 'This is the library. Your book has arrived.';

const ASKED = `scenario: asks on the phone
mode: phone
line: { ring_ms: 800, noise: "street@30dB" }
caller: { script: [{ say: "When do you open on Sunday?" }, { hang_up: true }] }
expect:
  - { agent_says: ten }
  - { call: { end_reason: caller_hung_up } }
  - { latency: { first_audio_p95_ms: 60000 } }`;
const PRESSED = `scenario: presses keys on the phone
mode: phone
caller: { script: [{ say: "Please take my account number." }, { dtmf: "40A#" }, { say: "You can hang up now." }] }
expect:
  - { tool: collect_account_number, times: 1 }
  - { call: { end_reason: agent_hung_up } }`;
const UNHEARD = `scenario: is not heard on the phone
mode: phone
line: { loss: 100 }
caller: { script: [{ say: "When do you open on Sunday?" }] }
expect: [{ agent_says: ten }]`;

const INTERRUPTED = `scenario: interrupts on the phone
mode: phone
line: { loss: 2 }
caller: { script: [{ after_ms: 3200, interrupt: "When do you open on Sunday?" }, { hang_up: true }] }
expect:
  - { agent_says: ten }
  - { agent_never_says: all of them today }`;
const RECORDED = `scenario: leaves a message on the phone
mode: phone
line: { answered_by: voicemail }
caller: { script: [{ say: "Nobody is at home. Please leave a message after the tone." }] }
expect: [{ agent_says: "${MESSAGE}" }, { agent_never_says: Welcome }, { call: { end_reason: agent_hung_up } }]`;

const missing = missingVoice();
if (missing) {
  test('tests of agents by phone', { skip: missing }, () => {});
} else {
  await installWorker();
  const { lab, service } = await setUp();
  const opened = closeAfterwards();
  const voice = await startVoice();
  opened.push(voice.stop);
  const spool = await makeSpool();
  opened.push(spool.remove);

  /** A worker that holds scenarios; the service's calls are those of another one. */
  async function start(env: Record<string, string>) {
    const worker = await startWorker(
      { ...lab, webhookPort: PORTS.service },
      {
        agentName: 'lab-tests',
        switchboardUrl: service.url,
        apiKey: '',
        spoolDir: spool.dir,
        env: { MODEL_BASE_URLS: voice.url, WORKER_MAX_TESTS: '3', ...env },
      },
    );
    opened.push(worker.kill);
    return worker;
  }

  async function post(path: string, body: object): Promise<Json> {
    const answer = await service.post(path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  }

  const makeAgent = async (config: object): Promise<string> =>
    (await post('/api/agents', { name: 'Library', user_id: USER, config: { ...voice.config, ...config } })).id;

  /** The results of scenarios by their names, once all have ended. */
  async function runTests(texts: string[], config: object): Promise<(name: string) => Json> {
    const agent_id = await makeAgent(config);
    const scenarios = await Promise.all(texts.map(async (text) => (await post('/api/scenarios', { text })).id));
    const { id } = await post('/api/test-runs', { agent_id, agent_version: 1, scenarios });
    await eventually(
      () => service.get(`/api/test-runs/${id}`),
      ({ body }) => body.ended_at !== null,
      180_000,
    );
    const { body } = await service.get(`/api/test-runs/${id}/results`);
    return (name) => body.items.find((one: Json) => one.name === name) ?? assert.fail(name);
  }

  const tools = {
    hang_up: true,
    collect_digits: [{ name: 'account_number', description: 'the account number' }],
  };
  const right = { instructions: `Be kind. ${OPENING}`, greeting: 'Welcome.', tools };

  test('a worker without phones says what to set', async () => {
    const worker = await start({});
    const results = await runTests([ASKED], right);
    const { status, problems } = results('asks on the phone');
    assert.equal(status, 'invalid');
    assert.match(problems.join(), /TEST_PHONE_HOST/);
    await worker.kill();
  });

  test('a phone behind the bridge rings, speaks, presses keys and hangs up', async () => {
    await start({ TEST_PHONE_HOST: '127.0.0.1' });
    const results = await runTests([ASKED, PRESSED, UNHEARD], right);
    const asked = results('asks on the phone');
    assert.equal(asked.status, 'passed', JSON.stringify(asked));
    const [greeting, question] = asked.conversations[0].turns;
    assert.deepEqual([greeting.heard, greeting.words], [null, 'Welcome.']);
    assert.match(question.heard, /open/i);
    assert.equal(question.words, OPENING);
    assert.ok(question.first_audio_ms > 0);

    const pressed = results('presses keys on the phone');
    assert.equal(pressed.status, 'passed', JSON.stringify(pressed));
    const entry = pressed.conversations[0].turns.find(({ heard }: Json) => heard === '[40A#]');
    assert.deepEqual(
      entry.calls.map(({ name, text }: Json) => [name, text]),
      [['collect_account_number', '40A']],
    );

    const unheard = results('is not heard on the phone');
    assert.deepEqual([unheard.status, unheard.failed], ['invalid', 0], JSON.stringify(unheard));
    assert.match(unheard.problems[0], /^undecided: the agent hears: .* \(it did not notice that somebody speaks\)/);

    // The bridge knows that they have hung up: none was cut off. None is a call, and no room stays open.
    const ends = lab.bridge.output().match(/Closing outbound call.*"reason": "[^"]*"/g) ?? [];
    assert.deepEqual(
      ends.map((line) => /"reason": "([^"]*)"/.exec(line)?.[1]),
      ['bye', 'bye', 'bye'],
    );
    assert.deepEqual(await service.list(), []);
    await eventually(
      () => lab.rooms.listRooms(),
      (rooms) => rooms.every(({ name }) => !name.startsWith('test-')),
    );
  });

  test('a caller interrupts over a line that loses packets, and a voicemail gets its message', async () => {
    const [interrupting, called] = await Promise.all([
      runTests([INTERRUPTED], { ...right, greeting: WELCOME }),
      runTests([RECORDED], { ...right, voicemail: { action: 'leave_message', message: MESSAGE } }),
    ]);
    const interrupted = interrupting('interrupts on the phone');
    assert.equal(interrupted.status, 'passed', JSON.stringify(interrupted));
    const [cut, answer] = interrupted.conversations[0].turns;
    assert.ok(cut.words.length > 0 && WELCOME.startsWith(cut.words), cut.words);
    assert.deepEqual([answer.interrupted, answer.words], [true, OPENING]);
    const recorded = called('leaves a message on the phone');
    assert.equal(recorded.status, 'passed', JSON.stringify(recorded));
  });

  test('the command says that an agent fails which tells another hour, and takes no keys', async () => {
    const wrong = { instructions: 'Be kind. The library opens at nine on Sundays.', tools: { hang_up: true } };
    const id = await makeAgent({ ...right, ...wrong });
    const files = [ASKED, PRESSED].map((text, at) => ({ text, file: path.join(lab.dir, `phone-${at}.yaml`) }));
    for (const { text, file } of files) await writeFile(file, `agent: { id: ${id}, version: 1 }\n${text}\n`);
    const script = path.resolve('packages/scenarios/scripts/agent-tests.ts');
    const options = ['--url', service.url, '--user', USER];
    const command = startProgram([process.execPath, script, ...options, ...files.map(({ file }) => file)]);
    assert.equal(await command.exit, 1, command.output());
    assert.match(command.output(), /regressed +asks on the phone\n +failed: the agent says "ten"/);
    assert.match(command.output(), /regressed +presses keys on the phone\n +failed: .*collect_account_number/);
  });
}
