/** Tests of agents by voice: a real worker, media server, recognizer and voice; nothing is a stand-in but the tools. */
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { RoomServiceClient } from 'livekit-server-sdk';
import { openWorkerLab } from './support/worker-lab.ts';

/** Answered also when a word of it is misheard: what is tested here is not the recognizer. */
const QUESTION = 'When does the library open on Sundays?';
const OPENING = 'The library opens at ten on Sundays.';
/** Longer than the library takes for its own echo at first, in which nobody interrupts. */
const WELCOME =
  'Welcome to the library. We have books and newspapers and music for everybody, and we are happy to help you with all of them today.';

const ANSWERED = `scenario: asks by voice
mode: audio
caller: { script: [{ say: "${QUESTION}" }, { say: "You can hang up now." }] }
expect:
  - { agent_says: ten }
  - { call: { end_reason: agent_hung_up } }
  - { latency: { first_audio_p95_ms: 60000 } }`;
const INTERRUPTED = `scenario: interrupts by voice
mode: audio
line: { ring_ms: 200, noise: "pink@30dB" }
caller: { script: [{ after_ms: 3200, interrupt: "${QUESTION}" }, { hang_up: true }] }
expect:
  - { agent_says: ten }
  - { agent_never_says: all of them today }
  - { call: { end_reason: caller_hung_up } }`;
const UNHEARD = `scenario: is not heard
mode: audio
line: { noise: "white@-15dB" }
caller: { script: [{ say: "When do you open on Sunday?" }] }
expect: [{ agent_says: ten }]`;

const LOST = UNHEARD.replace('is not heard', 'is lost').replace('noise: "white@-15dB"', 'loss: 100');

const PRESSED = `scenario: presses keys
mode: audio
caller: { script: [{ say: "Please take my account number." }, { dtmf: "42#" }] }
expect: [{ tool: collect_account_number, times: 1 }]`;
const CONFIRM = 'You will never hear from the library again.';
const REFUSED = `scenario: wants no more calls
mode: audio
caller: { script: [{ say: "Please stop calling me. Never call me again." }, { say: "${QUESTION}" }] }
expect:
  - { agent_says: "${CONFIRM}" }
  - { agent_never_says: ten }
  - { call: { opted_out: true, end_reason: agent_hung_up } }`;
const UNITS = ['stt_minutes', 'tts_characters'];
const PHONE = ANSWERED.replace('asks by voice', 'calls a phone').replace('mode: audio', 'mode: phone');
const MUTE = ANSWERED.replace('asks by voice', 'has no voice').replace(
  'caller: {',
  'caller: { voice: { provider: elevenlabs },',
);

const MESSAGE = 'This is the library. Your book has arrived.';
const RECORDED = `scenario: leaves a message
mode: audio
line: { answered_by: voicemail }
caller: { script: [{ say: "Nobody is at home. Please leave a message after the tone." }] }
expect: [{ agent_says: "${MESSAGE}" }, { agent_never_says: Welcome }, { call: { end_reason: agent_hung_up } }]`;
const PLAYED = `scenario: is called by somebody who is played
mode: audio
caller: { persona: { goal: "Learn when the library opens.", model: { base_url: "CALLER", model: caller } } }
expect: [{ agent_says: ten }, { call: { end_reason: caller_hung_up } }]`;

/** A language model that plays a caller: asks, and hangs up once it is answered. */
const playCaller: RequestListener = async (request, response) => {
  const asked = JSON.parse((await text(request)) || '{}') as { messages?: { content: string }[] };
  const isAnswered = asked.messages?.at(-1)?.content.includes('ten') === true;
  const hangUp = { index: 0, id: 'call_1', type: 'function', function: { name: 'hang_up', arguments: '{}' } };
  const deltas = isAnswered ? [{ tool_calls: [hangUp] }] : [{ content: QUESTION }];
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'caller' };
  const end = { index: 0, delta: {}, finish_reason: isAnswered ? 'tool_calls' : 'stop' };
  const choices = [...deltas.map((delta) => ({ index: 0, delta, finish_reason: null })), end];
  const events = choices.map((choice) => `data: ${JSON.stringify({ ...chunk, choices: [choice] })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${events.join('')}data: [DONE]\n\n`);
};

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('tests of agents by voice', { skip: missing }, () => {});
} else {
  const { opened, voice, lab, database, media, startWorker } = await openWorkerLab('lab-tests');
  const caller = await serveHttp(playCaller);
  opened.push(caller.close);
  const service = await startService({ media, database, env: { PORT: String(lab.webhookPort) } });
  const rooms = new RoomServiceClient(lab.url.replace('ws', 'http'), lab.apiKey, lab.apiSecret);
  const models = {
    MODEL_BASE_URLS: `${voice.url}=MODEL_KEY ${caller.url}/v1=MODEL_KEY`,
    MODEL_KEY: 'key-of-the-worker',
    TEST_PHONE_HOST: '127.0.0.1',
    WORKER_MAX_TESTS: '3',
  };
  let worker = await startWorker(models);

  const send = async (method: string, path: string, body?: Json): Promise<Json> => {
    const answer = await service.request(method, path, { user: USER, ...(body && { body }) });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const makeAgent = (config: object): Promise<string> =>
    createAgent(service, {
      config: { ...voice.config, instructions: `Be kind. ${OPENING}`, tools: { hang_up: true }, ...config },
    });
  /** The results of scenarios by their names, once all have ended. */
  const runTests = async (texts: string[], config: object): Promise<(name: string) => Json> => {
    const agent_id = await makeAgent(config);
    const save = async (text: string) => (await send('POST', '/api/scenarios', { text })).id;
    const scenarios = await Promise.all(texts.map(save));
    const { id } = await send('POST', '/api/test-runs', { agent_id, agent_version: 1, scenarios });
    await eventually(
      () => send('GET', `/api/test-runs/${id}`),
      ({ ended_at }) => ended_at !== null,
      120_000,
    );
    const { items } = await send('GET', `/api/test-runs/${id}/results`);
    return (name) => items.find((one: Json) => one.name === name) ?? assert.fail(name);
  };
  const testRooms = async () => (await rooms.listRooms()).filter(({ name }) => name.startsWith('test-'));

  test('a caller speaks, interrupts, or is not heard, and all of it is no call', { timeout: 180_000 }, async () => {
    const [greeted, long, keys] = await Promise.all([
      runTests([ANSWERED, UNHEARD, LOST, PHONE, MUTE], { greeting: 'Welcome.' }),
      runTests([INTERRUPTED], { greeting: WELCOME }),
      runTests([PRESSED], {
        tools: { collect_digits: [{ name: 'account_number', description: 'the account number' }] },
      }),
    ]);
    const answered = greeted('asks by voice');
    assert.equal(answered.status, 'passed', JSON.stringify(answered));
    const [greeting, question, goodbye] = answered.conversations[0].turns;
    assert.deepEqual([greeting.heard, greeting.words], [null, 'Welcome.']);
    assert.match(question.heard, /open/i);
    assert.equal(question.words, OPENING);
    assert.ok(question.first_audio_ms > 0);
    assert.deepEqual(
      question.decisions.map(({ words }: Json) => words),
      [OPENING],
    );
    assert.deepEqual([goodbye.calls.map(({ name }: Json) => name), goodbye.interrupted], [['hang_up'], false]);

    const interrupted = long('interrupts by voice');
    assert.equal(interrupted.status, 'passed', JSON.stringify(interrupted));
    const [cut, answer] = interrupted.conversations[0].turns;
    assert.ok(cut.words.length > 0 && WELCOME.startsWith(cut.words), cut.words);
    assert.deepEqual([answer.interrupted, answer.words], [true, OPENING]);

    const pressed = keys('presses keys');
    assert.equal(pressed.status, 'passed', JSON.stringify(pressed));
    const entry = pressed.conversations[0].turns.find(({ heard }: Json) => heard === '[42#]');
    assert.deepEqual(
      entry.calls.map(({ name, text }: Json) => [name, text]),
      [['collect_account_number', '42']],
    );

    const unheard = greeted('is not heard');
    assert.deepEqual([unheard.status, unheard.failed, unheard.invalid], ['invalid', 0, 1], JSON.stringify(unheard));
    assert.equal(unheard.problems.length, 1, JSON.stringify(unheard));
    assert.match(unheard.problems[0], /^undecided: the agent hears: When do you open on Sunday\? \(it /);
    // Words of which all packets are lost say nothing about the agent either.
    const lost = greeted('is lost');
    assert.deepEqual([lost.status, lost.failed, lost.invalid], ['invalid', 0, 1], JSON.stringify(lost));
    assert.match(lost.problems[0], /^undecided: the agent hears: .* \(it did not notice that somebody speaks\)/);
    // Nothing is held of these.
    assert.match(greeted('has no voice').error, /caller has no voice: .*ELEVENLABS_API_KEY/);
    assert.match(greeted('calls a phone').error, /no call through the SIP bridge, which has not reached 127.0.0.1:/);

    assert.deepEqual(await testRooms(), []);
    assert.deepEqual((await send('GET', '/api/calls')).items, []);
    const today = new Date().toISOString().slice(0, 10);
    const costs = (purpose: string) =>
      send('GET', `/api/costs/report?group_by=event_type&start_date=${today}&end_date=${today}&purpose=${purpose}`);
    assert.deepEqual((await costs('call')).items, []);
    assert.deepEqual((await costs('test')).items.map((one: Json) => one.event_type).sort(), UNITS);
  });

  test('a persona talks until it knows, and a voicemail gets its message after the tone', {
    timeout: 120_000,
  }, async () => {
    const [talked, called] = await Promise.all([
      runTests([PLAYED.replace('CALLER', `${caller.url}/v1`)], { greeting: 'Welcome.' }),
      runTests([RECORDED], { greeting: 'Welcome.', voicemail: { action: 'leave_message', message: MESSAGE } }),
    ]);
    const played = talked('is called by somebody who is played');
    assert.equal(played.status, 'passed', JSON.stringify(played));
    const [greeting, answer] = played.conversations[0].turns;
    assert.deepEqual([greeting.words, answer.words], ['Welcome.', OPENING]);
    assert.match(answer.heard, /open/i);

    const recorded = called('leaves a message');
    assert.equal(recorded.status, 'passed', JSON.stringify(recorded));
    const [only, ...others] = recorded.conversations[0].turns.filter(({ words }: Json) => words !== '');
    assert.deepEqual([only.words, others], [MESSAGE, []]);
  });

  test('somebody who wants no more calls is told so and hung up on', { timeout: 120_000 }, async () => {
    const compliance = { opt_out: { enabled: true, confirm: CONFIRM } };
    const refused = (await runTests([REFUSED], { compliance }))('wants no more calls');
    assert.equal(refused.status, 'passed', JSON.stringify(refused));
    assert.deepEqual(await send('GET', '/api/suppressions'), { items: [], next_cursor: null });
  });

  test('a worker that is killed in a call leaves no room, and the command waits for the next one', {
    timeout: 180_000,
  }, async () => {
    const agent_id = await makeAgent({ greeting: 'Welcome.' });
    await send('PUT', `/api/agents/${agent_id}/external-key`, { external_key: 'library' });
    const script = path.resolve('packages/scenarios/scripts/agent-tests.ts');
    const file = path.resolve('examples/agent-tests/audio/opening-hours.yaml');
    const options = ['--url', `http://127.0.0.1:${lab.webhookPort}`, '--user', USER];
    const command = startProgram([process.execPath, script, ...options, '--version', '1', file]);
    await eventually(testRooms, (open) => open.length > 0, 60_000);
    await worker.kill();
    worker = await startWorker(models);
    const past = new Date(0);
    await database.db
      .updateTable('work')
      .set({ leased_until: past, due_at: past })
      .where('kind', '=', 'scenario')
      .execute();
    await command.exit;
    // On a busy machine a small recognizer may mishear a street: one result is what this is about.
    const held = command.output().match(/(passed|flaky|regressed|invalid) +the opening hours are told to a caller/g);
    assert.equal(held?.length, 1, command.output());
    await eventually(testRooms, (open) => open.length === 0);
  });
}
