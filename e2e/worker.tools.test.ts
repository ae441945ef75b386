import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSwitchboard, verifyCallback } from '@switchboard/client';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { withStandInPhones } from './support/legs.ts';
import { createReader } from './support/worker.ts';
import { openWorkerLab } from './support/worker-lab.ts';

const [CALLER, RECEPTION] = ['+14155552001', '+14155552002'];

const missing = missingParts() ?? missingVoice();
if (missing) {
  test("the worker's tools", { skip: missing }, () => {});
} else {
  const { opened, voice, lab, database, media: real, startWorker } = await openWorkerLab('lab-tools');
  const { media, phones } = withStandInPhones(lab, real);
  const service = await startService({
    media,
    database,
    env: { PORT: String(lab.webhookPort), CALLING_COUNTRIES: 'US' },
  });
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const asked: unknown[] = [];
  const customer = await serveHttp(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    asked.push(await verifyCallback({ body, headers: request.headers, secret }));
    response.end('Ten to four.');
  });
  opened.push(customer.close);
  const worker = await startWorker({
    MODEL_BASE_URLS: voice.url,
    FUNCTIONS_SECRET: secret,
    FUNCTIONS_ALLOW_PRIVATE: 'true',
    WORKER_DRAIN_S: '60',
  });
  const { hears } = createReader(() => service);

  const tools = {
    dtmf: true,
    transfer: { destinations: [{ name: 'reception', phone_number: RECEPTION, type: 'WARM' }] },
    functions: [{ name: 'opening_hours', description: 'Hours of a day.', url: `${customer.url}/hours` }],
  };
  const script = [
    'Press the number five.',
    'Use the function opening_hours with Sunday',
    'Please connect me to the reception.',
  ] as const;

  test('the agent presses keys, asks a function of the customer, and has the caller transferred', async () => {
    const agent_id = await createAgent(service, { config: { greeting: 'Welcome.', ...voice.config, tools } });
    const { call_id } = await placeCall(service, CALLER, { agent_id });
    const { user_id } = await reaches(service, call_id, 'ANSWERED');
    const said: [string, string][] = [['AGENT', 'Welcome.']];
    await hears(call_id, said);
    const phone = phones.get(CALLER) ?? assert.fail();
    async function say(words: string, ...answers: string[]): Promise<void> {
      await phone.type(words);
      said.push(['USER', words], ...answers.map((answer): [string, string] => ['AGENT', answer]));
      await hears(call_id, said);
    }

    await say(script[0], 'Pressed 5.');
    // They take another way than what is said.
    await eventually(
      async () => phone.tones,
      ({ length }) => length > 0,
    );
    assert.deepEqual(phone.tones, ['5']);

    await say(script[1], 'Ten to four.');
    const { id: _, ...request } = asked[0] as Record<string, unknown>;
    const about = { session_id: call_id, agent_id, user_id };
    assert.deepEqual(request, { name: 'opening_hours', arguments: { value: 'Sunday' }, ...about });
    assert.equal(asked.length, 1);

    await phone.type(script[2]);
    const { body } = await eventually(
      () => service.request('GET', `/api/calls/${call_id}`),
      (answer) => answer.body.transfers[0]?.status === 'completed',
    );
    const [{ phone_number, transfer_type }] = body.transfers;
    assert.deepEqual([phone_number, transfer_type, body.call_status], [RECEPTION, 'WARM', 'ANSWERED']);
    await service.request('POST', `/api/calls/${call_id}/end`);
    // In a test that is made of the call, the function answers what it has answered.
    await eventually(
      async () => (await service.request('POST', `/api/calls/${call_id}/scenario`)).body.text,
      (text: string) => /opening_hours: \{ return: "?Ten to four\."? \}/.test(text),
    );
  });

  test('a PIN that the caller enters by keys reaches the function of the customer, and nothing else', async () => {
    const check = {
      name: 'check_pin',
      description: 'Checks the PIN.',
      url: `${customer.url}/pin`,
      body: '{"pin": {{pin}}}',
    };
    const entry = { name: 'pin', description: 'the PIN', max: 4, sensitive: true };
    const config = { greeting: 'Welcome.', ...voice.config, tools: { collect_digits: [entry], functions: [check] } };
    const { call_id } = await placeCall(service, CALLER, { agent_id: await createAgent(service, { config }) });
    await reaches(service, call_id, 'ANSWERED');
    const said: [string, string][] = [['AGENT', 'Welcome.']];
    await hears(call_id, said);
    const phone = phones.get(CALLER) ?? assert.fail();
    const before = asked.length;
    await phone.type('Use the function collect_pin');
    said.push(['USER', 'Use the function collect_pin']);
    await hears(call_id, said);
    await phone.press('4711');
    said.push(['AGENT', 'The caller has pressed 4 keys, which only functions may know.']);
    await hears(call_id, said);
    await phone.type('Use the function check_pin');
    said.push(['USER', 'Use the function check_pin'], ['AGENT', 'Ten to four.']);
    await hears(call_id, said);
    assert.deepEqual(asked.slice(before), [{ id: (asked[before] as { id: string }).id, pin: '4711' }]);
    await service.request('POST', `/api/calls/${call_id}/end`);
    await reaches(service, call_id, 'COMPLETED');
    const kept = await Promise.all(
      [`/api/calls/${call_id}`, `/api/calls/${call_id}/job`, `/api/sessions/${call_id}/transcripts`].map((path) =>
        service.request('GET', path),
      ),
    );
    const recorded = () => database.db.selectFrom('tool_calls').selectAll().where('session_id', '=', call_id).execute();
    kept.push({ status: 200, body: await eventually(recorded, ({ length }) => length === 2) } as never);
    assert.doesNotMatch(JSON.stringify(kept.map(({ body }) => body)), /(?<![\w.-]|"pid":)4711(?![\w-])/);
    assert.doesNotMatch(worker.output(), /(?<![\w.-]|"pid":)4711(?![\w-])/);
  });

  test('the same worker calls the same tools by the same script in a chat, which has no phone', async () => {
    const agent_id = await createAgent(service, { config: { greeting: 'Welcome.', ...voice.config, tools } });
    const { chats } = createSwitchboard({ baseUrl: service.url, userId: USER });
    const { chat_id } = await chats.start({ agent_id });
    const called: unknown[] = [];
    for (const content of script) {
      const { tool_calls } = await chats.send(chat_id, { content });
      called.push(...tool_calls.map((one) => [one.name, one.arguments, one.is_error]));
    }
    assert.deepEqual(called, [
      ['send_dtmf', { digits: '5' }, true],
      ['opening_hours', { value: 'Sunday' }, false],
      ['transfer', { destination: 'reception' }, true],
    ]);
    const { name, arguments: args, session_id } = asked.at(-1) as Record<string, unknown>;
    assert.deepEqual([name, args, session_id], ['opening_hours', { value: 'Sunday' }, chat_id]);
  });

  test('a worker that shuts down accepts no more calls, and lets the current one end', async () => {
    assert.equal(await worker.health(), 200);
    const agent_id = await createAgent(service, {
      config: { greeting: 'Welcome back.', ...voice.config, tools: { hang_up: true } },
    });
    const { call_id } = await placeCall(service, CALLER, { agent_id });
    const said: [string, string][] = [['AGENT', 'Welcome back.']];
    await hears(call_id, said);
    const exit = worker.end('SIGTERM');
    await worker.prints('"ending"');
    const phone = phones.get(CALLER) ?? assert.fail();
    await phone.type('When do you open?');
    said.push(['USER', 'When do you open?'], ['AGENT', 'I am sorry, I have no information about that.']);
    await hears(call_id, said);
    await phone.type('Goodbye');
    assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'ended_by_agent');
    assert.equal(await exit, 0);
    assert.deepEqual(await worker.waiting(), [], 'all of it was sent');
  });
}
