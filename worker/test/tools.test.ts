import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { initializeLogger, type llm } from '@livekit/agents';
import { Webhook } from 'standardwebhooks';
import { createFunction, type HttpFunction } from '../conversation/functions.ts';
import { createTools } from '../conversation/tools.ts';
import type { Call } from '../switchboard/call.ts';

initializeLogger({ pretty: false, level: 'silent' });
const secret = `whsec_${Buffer.from('a secret of 32 bytes for testing').toString('base64')}`;
const call: Call = {
  version: 1,
  session_id: 's',
  room_name: 'r',
  user_id: 'u',
  agent_id: 'a',
  agent_name: 'Front desk',
  agent_version: 4,
  config: {},
  direction: 'OUTBOUND',
  from_number: null,
  to_number: null,
  variables: {},
  metadata: {},
};

let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
const server = createServer(async (request, response) => {
  answer(request, response, Buffer.concat(await request.toArray()).toString());
});
await once(server.listen(0, '127.0.0.1'), 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slots`;

type Options = Parameters<llm.FunctionTool['execute']>[1];
const waiting = { waitForPlayout: async () => {} };
const run = (tool: { execute: (args: never, options: Options) => Promise<unknown> }, args: object) =>
  tool.execute(args as never, { ctx: waiting } as unknown as Options);

const config: HttpFunction = { name: 'free_slots', description: 'Free appointments.', url };
const make = (more: Partial<HttpFunction> = {}, allowPrivate = true) =>
  createFunction({ ...config, ...more }, call, { secret, allowPrivate });

test('a function gets its arguments, signed, and the model its answer', async () => {
  let seen: unknown;
  answer = (request, response, body) => {
    seen = new Webhook(secret).verify(body, request.headers as Record<string, string>);
    response.end('{"slots": ["10:00"]}');
  };
  assert.deepEqual(await run(make(), { day: 'Monday' }), { slots: ['10:00'] });
  assert.deepEqual(seen, {
    name: 'free_slots',
    arguments: { day: 'Monday' },
    session_id: 's',
    agent_id: 'a',
    user_id: 'u',
  });
});

test('an answer is JSON, or any other text', async () => {
  for (const [sent, read] of [
    ['At ten.', 'At ten.'],
    ['"At ten."', 'At ten.'],
    ['[10, 11]', [10, 11]],
    ['null', 'null'],
    ['', ''],
  ] as const) {
    answer = (_request, response) => response.end(sent);
    assert.deepEqual(await run(make(), {}), read);
  }
});

test('the model is informed of a function that fails, hangs or returns too much', async () => {
  answer = (_request, response) => response.writeHead(500).end();
  await assert.rejects(run(make(), {}), /free_slots failed: status 500/);
  answer = (_request, response) => response.writeHead(302, { location: url }).end();
  await assert.rejects(run(make(), {}), /status 302/);
  answer = () => {};
  await assert.rejects(run(make({ timeout_s: 0.1 }), {}), /no answer within 0.1 s/);
  answer = (_request, response) => response.end('x'.repeat(100_000));
  await assert.rejects(run(make(), {}), /longer than/);
});

test('a function cannot reach inside, unless it is allowed to', async () => {
  const hosts = [
    '[::1]',
    '10.0.0.1',
    '169.254.169.254',
    'localhost',
    '168.63.129.16',
    '[::7f00:1]',
    '[4000::1]',
    '[64:ff9b::7f00:1]',
  ];
  for (const inside of [url, ...hosts.map((host) => `http://${host}:1/`)])
    await assert.rejects(run(make({ url: inside }, false), {}), /not public/, inside);
});

test('a function that is described wrongly is refused', () => {
  assert.throws(() => make({ name: 'free slots' }), /is no name/);
  assert.throws(() => make({ url: 'ftp://x' }), /must be an http/);
  assert.throws(() => make({ timeout_s: 1000 }), /at most 60/);
});

test('a worker without FUNCTIONS_SECRET holds the conversation; the function is not sent, and the model told', async () => {
  answer = () => assert.fail('it was sent without a signature');
  const tool = createFunction(config, call, { secret: null, allowPrivate: true });
  await assert.rejects(run(tool, {}), { message: 'free_slots failed: it is not available' });
});

test('the model has the tools of the config and no others, and a transfer leads to one of its destinations', async () => {
  const transfers: unknown[] = [];
  const tones: unknown[] = [];
  const api = {
    transfer: async (...args: unknown[]) => {
      transfers.push(args);
      if (args[0] === '+15005550101') throw new Error('Busy.');
      return 'initiated' as const;
    },
    proposeCallBack: () => assert.fail(),
    confirmCallBack: () => assert.fail(),
  };
  const localParticipant = { publishDtmf: async (...args: unknown[]) => tones.push(args) };
  const room = { localParticipant } as unknown as Parameters<typeof createTools>[1]['room'];
  let hungUp = 0;
  const hangUp = () => hungUp++;
  const hasPhone = true;
  const redact = (_speaker: string, text: string) => text.replaceAll('4111', '[card]');
  const functions = { secret, allowPrivate: true };
  const deps = { call, room, api, hangUp, hasPhone, mute: assert.fail, redact, functions };
  const make = (tools: object) => createTools(tools, deps);
  for (const nothing of [{}, { transfer: null, functions: null }, { transfer: { destinations: [] } }])
    assert.deepEqual(make(nothing), []);
  assert.throws(() => make({ functions: {} }), /tools.functions must be a list/);
  assert.throws(() => make({ transfer: { destinations: 'x' } }), /tools.transfer.destinations must be/);
  assert.throws(() => make({ call_back: true }), /tools.call_back must be an object/);
  const destinations = [
    { name: 'Reception', phone_number: '+15005550100', type: 'WARM' },
    { name: 'doctor', phone_number: '+15005550101' },
    { name: 'nurse', phone_number: '+15005550102', attended: true },
  ];
  const tools = make({ hang_up: true, dtmf: true, transfer: { destinations }, functions: [config] });
  const byName = new Map((tools as unknown as { name: string }[]).map((tool) => [tool.name, tool]));
  assert.deepEqual([...byName.keys()], ['hang_up', 'send_dtmf', 'transfer', 'free_slots']);
  const use = (name: string, args: object) => run(byName.get(name) as unknown as Parameters<typeof run>[0], args);
  assert.equal(await use('transfer', { destination: 'reception' }), 'Reception is being called.');
  await assert.rejects(use('transfer', { destination: 'doctor' }), /The transfer failed: Busy\./);
  await assert.rejects(use('transfer', { destination: '+19005550100' }), /no destination/);
  // Only a destination that is asked first is told anything, without secrets.
  await use('transfer', { destination: 'nurse', briefing: ' About a bandage, 4111. ' });
  assert.deepEqual(transfers, [
    ['+15005550100', 'WARM', {}],
    ['+15005550101', undefined, {}],
    ['+15005550102', undefined, { attended: true, briefing: 'About a bandage, [card].' }],
  ]);
  assert.equal(await use('send_dtmf', { digits: '1#D' }), 'Pressed 1#D.');
  // As the SIP bridge knows them.
  assert.deepEqual(tones, [
    [1, '1'],
    [11, '#'],
    [15, 'd'],
  ]);
  await assert.rejects(use('send_dtmf', { digits: '1;2' }), /digits must be/);
  await use('hang_up', {});
  assert.equal(hungUp, 1);
});
