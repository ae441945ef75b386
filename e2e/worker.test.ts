import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import type { Media } from '../packages/server/src/providers/media.ts';
import { join, type Leg } from './support/legs.ts';
import { createReader, startLossyProxy, withRingingPhones } from './support/worker.ts';
import { openWorkerLab } from './support/worker-lab.ts';

/** The rules' reply when the instructions say nothing. */
const NO_ANSWER = 'I am sorry, I have no information about that.';

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('the worker', { skip: missing }, () => {});
} else {
  const { opened, voice, lab, database, media: real, startWorker } = await openWorkerLab('lab-worker');
  const { media, phones, ring, setStatus } = withRingingPhones(lab, real);
  const ours = await keysOf(database).create({ name: 'Test', role: 'service' });

  let service: Service<Media>;
  /**
   * A service on the same data and the same port, which requires keys. Resources that a test starts are closed when it
   * ends.
   */
  async function startAgain(): Promise<void> {
    const limits = { CALLING_COUNTRIES: 'US', AUTH_MODE: 'required' };
    // One round, at its start, in which it takes up the calls that went on without it.
    const env = { PORT: String(lab.webhookPort), RECONCILE_INTERVAL_MS: '3600000', ...limits };
    const started = await startService({ media, database, env });
    const headers = { authorization: `Bearer ${ours.key}` };
    const request: typeof started.request = (method, route, options) =>
      started.request(method, route, { ...options, headers });
    service = { ...started, request };
  }
  function testWithService(name: string, run: () => Promise<void>): void {
    test(name, async () => {
      await startAgain();
      await run();
    });
  }
  const { hears, costs } = createReader(() => service);

  const workerEnv = { MODEL_BASE_URLS: voice.url, PRICES_FILE: path.join(import.meta.dirname, 'support/prices.json') };
  let worker = await startWorker(workerEnv);
  let calls = 0;
  const phone = () => `+1415555${2000 + calls++}`;

  const agentConfig = () => ({
    // Different words for each agent, so that no prompt is cached.
    instructions: `Be kind to caller ${calls}.`,
    greeting: 'Welcome.',
    ...voice.config,
    tools: { hang_up: true },
  });

  /** An answered call whose agent has joined and started its greeting. */
  async function answeredCall() {
    const number = phone();
    const agent_id = await createAgent(service, { config: agentConfig() });
    const call = await placeCall(service, number, { agent_id });
    await reaches(service, call.call_id, 'ANSWERED');
    await hears(call.call_id, [['AGENT', 'Welcome.']]);
    return { ...call, agent_id, phone: phones.get(number) ?? assert.fail() };
  }

  async function kindsIn(room_name: string): Promise<string[]> {
    return (await real.listParticipants(room_name)).map(({ kind }) => kind).sort();
  }

  /** Waits until the worker has this many reports that the service has not accepted. */
  async function waiting(count: number): Promise<void> {
    await eventually(
      () => worker.waiting(),
      (reports) => reports.length === count,
    );
  }

  /** A call of which the service has received everything, and which continues while the service is stopped. */
  async function callWithoutService(text: string): Promise<{ call_id: string; room_name: string; phone: Leg }> {
    const call = await answeredCall();
    await costs(call.call_id, 1);
    await waiting(0);
    await service.close();
    await call.phone.type(text);
    return call;
  }

  testWithService('the worker joins, talks, books what it used, and ends the session when it hangs up', async () => {
    const call = await answeredCall();
    assert.deepEqual(await kindsIn(call.room_name), ['AGENT', 'SIP']);
    const row = await eventually(
      () =>
        service.database.db
          .selectFrom('sessions')
          .select('agent_joined_at')
          .where('id', '=', call.call_id)
          .executeTakeFirstOrThrow(),
      ({ agent_joined_at }) => agent_joined_at !== null,
    );
    assert.ok(row.agent_joined_at);
    await call.phone.type('When do you open?');
    const talk: [string, string][] = [
      ['AGENT', 'Welcome.'],
      ['USER', 'When do you open?'],
      ['AGENT', NO_ANSWER],
    ];
    await hears(call.call_id, talk);
    // 8 and 45 characters at 0.000015; 10 input words at 0.0000004 and 9 output words at 0.0000016.
    const { by_event_type, by_provider, events } = await costs(call.call_id, 4);
    assert.deepEqual(by_event_type, {
      tts_characters: '0.000795',
      llm_input_tokens: '0.000004',
      llm_output_tokens: '0.0000144',
    });
    assert.deepEqual(by_provider, { local: '0.0008134' });
    assert.deepEqual(new Set(events.map((event: { agent_id: string }) => event.agent_id)), new Set([call.agent_id]));
    await call.phone.type('Goodbye!');
    assert.equal((await reaches(service, call.call_id, 'COMPLETED')).end_reason, 'ended_by_agent');
    await hears(call.call_id, [...talk, ['USER', 'Goodbye!'], ['AGENT', 'Thank you for calling. Goodbye.']]);
    await eventually(
      () => worker.calls(),
      (count) => count === 0,
    );
    await waiting(0);
  });

  testWithService('a person steps in: the agent says, knows and presses what they ask for', async () => {
    const call = await answeredCall();
    const steer = (what: string, body: object) =>
      service.request('POST', `/api/calls/${call.call_id}/${what}`, { body });
    assert.equal((await steer('say', { text: 'One moment, please.', interrupt: true })).status, 200);
    const talk: [string, string][] = [
      ['AGENT', 'Welcome.'],
      ['AGENT', 'One moment, please.'],
    ];
    await hears(call.call_id, talk);
    assert.equal((await steer('instructions', { text: 'The shop opens at nine.' })).status, 200);
    await call.phone.type('When do you open?');
    await hears(call.call_id, [...talk, ['USER', 'When do you open?'], ['AGENT', 'The shop opens at nine.']]);
    assert.equal((await steer('dtmf', { digits: '4#' })).status, 200);
    await eventually(
      async () => call.phone.tones.join(''),
      (tones) => tones === '4#',
    );
    // A participant of the room, such as a caller's browser, has no such say.
    await assert.rejects(call.phone.command('{"type":"say","text":"Free of charge.","interrupt":true}'));
    await call.phone.hangUp();
    await reaches(service, call.call_id, 'COMPLETED');
    assert.equal((await steer('say', { text: 'Hello?' })).body.code, 'session_not_active');
  });

  testWithService('an inbound call is answered because the worker publishes audio', async () => {
    const agent_id = await createAgent(service, { config: agentConfig() });
    await service.request('POST', '/api/telephony/numbers/assign', {
      body: { agent_id, phone_number: '+15005550010' },
    });
    const [room_name, identity] = ['inbound-worker-1', 'sip_+14155550199'];
    const caller = await join(lab, room_name, identity, 'sip', {
      'sip.trunkPhoneNumber': '+15005550010',
      'sip.phoneNumber': '+14155550199',
      'sip.callStatus': 'ringing',
    });
    const { body: session } = await eventually(
      () => service.request('GET', `/api/sessions/by-room/${room_name}`),
      ({ status }) => status === 200,
    );
    await reaches(service, session.id, 'ANSWERED');
    // It listens, but does not greet while the phone is not connected.
    await caller.type('Hello?');
    const talk: [string, string][] = [
      ['USER', 'Hello?'],
      ['AGENT', 'Hello. What can I do for you?'],
    ];
    await hears(session.id, talk);
    await setStatus(room_name, identity, 'active');
    await hears(session.id, [...talk, ['AGENT', 'Welcome.']]);
    await caller.hangUp();
    assert.equal((await reaches(service, session.id, 'COMPLETED')).end_reason, 'hangup');
  });

  testWithService('in a warm transfer the worker stays while the target rings, and leaves by itself', async () => {
    const call = await answeredCall();
    const target = phone();
    const pickUp = ring(target);
    await service.request('POST', `/api/sessions/${call.call_id}/transfer`, {
      body: { phone_number: target, type: 'WARM' },
    });
    await eventually(
      () => kindsIn(call.room_name),
      (kinds) => kinds.length === 3,
    );
    const talk: [string, string][] = [['AGENT', 'Welcome.']];
    // The first may come before the event about the target; with the second, the worker has seen it and continued.
    for (const words of ['Are you there?', 'Is it ringing?']) {
      await call.phone.type(words);
      talk.push(['USER', words], ['AGENT', NO_ANSWER]);
      await hears(call.call_id, talk);
    }
    assert.deepEqual(await kindsIn(call.room_name), ['AGENT', 'SIP', 'SIP']);
    pickUp();
    await eventually(
      () => kindsIn(call.room_name),
      (kinds) => !kinds.includes('AGENT'),
    );
    const { body } = await eventually(
      () => service.request('GET', `/api/calls/${call.call_id}`),
      (answer) => answer.body.transfers[0].status === 'completed',
    );
    assert.deepEqual([body.status, body.call_status, body.transfers[0].phone_number], ['ACTIVE', 'ANSWERED', target]);
    assert.deepEqual(await kindsIn(call.room_name), ['SIP', 'SIP']);
    await hears(call.call_id, [...talk, ['AGENT', 'You are connected now. Goodbye.']]);
    await phones.get(target)?.hangUp();
    assert.equal((await reaches(service, call.call_id, 'COMPLETED')).end_reason, 'hangup');
  });

  testWithService('what is said and used while the service is down arrives when it is back, once', async () => {
    const call = await callWithoutService('Is anybody there?');
    // The user's words and the agent's; two kinds of tokens and the characters.
    await waiting(5);
    await worker.prints('not delivered yet', 2);
    assert.deepEqual(await kindsIn(call.room_name), ['AGENT', 'SIP'], 'the conversation goes on');
    await startAgain();
    await hears(call.call_id, [
      ['AGENT', 'Welcome.'],
      ['USER', 'Is anybody there?'],
      ['AGENT', NO_ANSWER],
    ]);
    // 53 characters; 9 input words, 9 output words.
    assert.equal((await costs(call.call_id, 4)).total_cost, '0.000813');
    await waiting(0);
    await call.phone.type('Goodbye');
    assert.equal((await reaches(service, call.call_id, 'COMPLETED')).end_reason, 'ended_by_agent');
  });

  testWithService('a worker that hangs up while the service is down keeps no phone connected', async () => {
    const call = await callWithoutService('Goodbye');
    await eventually(
      () => real.listRooms(),
      (all) => !all.has(call.room_name),
    );
    await startAgain();
    await reaches(service, call.call_id, 'COMPLETED');
    await hears(call.call_id, [
      ['AGENT', 'Welcome.'],
      ['USER', 'Goodbye'],
      ['AGENT', 'Thank you for calling. Goodbye.'],
    ]);
    await waiting(0);
  });

  testWithService(
    'what a killed worker had not sent, the next one sends, once even where answers are lost',
    async () => {
      const call = await callWithoutService('Is anybody there?');
      await waiting(5);
      await worker.kill();
      await waiting(5);
      await startAgain();
      const proxy = await startLossyProxy(service.url);
      opened.push(proxy.close);
      worker = await startWorker(workerEnv, proxy.url);
      await waiting(0);
      // The two transcripts, and the usage in one to three requests.
      assert.ok(proxy.lost() >= 3 && proxy.lost() <= 5, `${proxy.lost()}`);
      await hears(call.call_id, [
        ['AGENT', 'Welcome.'],
        ['USER', 'Is anybody there?'],
        ['AGENT', NO_ANSWER],
      ]);
      await costs(call.call_id, 4);
      await service.request('POST', `/api/calls/${call.call_id}/end`);
    },
  );

  testWithService('SIGTERM ends the worker with all its processes; a call that is still on ends', async () => {
    const call = await answeredCall();
    assert.equal(await worker.end('SIGTERM'), 0);
    assert.equal((await reaches(service, call.call_id, 'COMPLETED')).end_reason, 'hangup');
    await costs(call.call_id, 1);
  });
}
