// Keys that a caller presses for a tool: complete, late, missing, and sensitive ones.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { initializeLogger, type llm, voice } from '@livekit/agents';
import { RoomEvent } from '@livekit/rtc-node';
import { createTools } from '../conversation/tools.ts';

initializeLogger({ pretty: false, level: 'silent' });

type Deps = Parameters<typeof createTools>[1];
type Options = Parameters<llm.FunctionTool['execute']>[1];
type Tool = { name: string; execute: (args: object, options: Options) => Promise<unknown> };

function start(collect_digits: object[], functions: object[] = [], pauseOn: string[] = []) {
  const room = new EventEmitter();
  let muted = 0;
  let waiting = 0;
  const deps: Deps = {
    call: { session_id: 's', agent_id: 'a', user_id: 'u', variables: { shop: 'north' } },
    room: room as unknown as Deps['room'],
    api: {
      transfer: async () => 'initiated',
      proposeCallBack: () => assert.fail(),
      confirmCallBack: () => assert.fail(),
    },
    hasPhone: true,
    hangUp: () => {},
    mute: () => {
      muted++;
      return () => muted--;
    },
    silenceThinking: () => {
      waiting++;
      return () => waiting--;
    },
    pauseOn,
    functions: { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, allowPrivate: true },
  };
  const tools = createTools({ collect_digits, functions } as object, deps) as unknown as Tool[];
  const asked = Promise.withResolvers<void>();
  const speechHandle = voice.SpeechHandle.create();
  return {
    speechHandle,
    tools,
    muted: () => muted,
    waiting: () => waiting,
    /** The agent has asked. */
    said: asked.resolve,
    press: (keys: string, identity = 'phone-1') => {
      for (const key of keys) room.emit(RoomEvent.DtmfReceived, 0, key, { identity });
    },
    listeners: () => room.listenerCount(RoomEvent.DtmfReceived),
    use: (name: string, args: object = {}, abortSignal?: AbortSignal, speech = speechHandle) => {
      const tool = tools.find((one) => one.name === name) ?? assert.fail(name);
      return tool.execute(args, {
        ctx: { waitForPlayout: () => asked.promise, speechHandle: speech },
        abortSignal,
      } as unknown as Options);
    },
  };
}

/** A customer's server, and the bodies that it has received. */
async function serveFunction(t: TestContext) {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    received.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    response.end('"welcome"');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

const PIN = { name: 'pin', description: 'the PIN of the account', max: 4, timeout_s: 1 };

test('keys belong to one entry, which nobody interrupts: another that the model begins beside it is refused', async () => {
  const { use, said, press, speechHandle } = start([
    { ...PIN, sensitive: true },
    { ...PIN, name: 'code', max: 2 },
  ]);
  const pin = use('collect_pin');
  await assert.rejects(async () => use('collect_code'), /Ask for these afterwards/);
  assert.equal(speechHandle.allowInterruptions, false);
  said();
  press('1234');
  assert.match(String(await pin), /4 keys/);
  assert.equal(speechHandle.allowInterruptions, true);
  const code = use('collect_code');
  press('56');
  assert.equal(await code, '56');
});

test('keys are complete at their number, at the last key, or when no other one comes', async () => {
  for (const [keys, expected] of [
    ['12345', '1234'],
    ['12#34', '12'],
    ['7', '7'],
    ['*0#', '*0'],
    ['1ad#', '1AD'],
  ] as const) {
    const { use, said, press, listeners, waiting } = start([PIN]);
    const result = use('collect_pin');
    assert.equal(waiting(), 1);
    said();
    press(keys);
    assert.equal(await result, expected);
    assert.deepEqual([listeners(), waiting()], [0, 0]);
  }
});

test('an entry that a caller has interrupted before it began does not keep others from beginning', async () => {
  const { use, said, press } = start([PIN]);
  const interrupted = voice.SpeechHandle.create();
  interrupted.interrupt(true);
  await assert.rejects(async () => use('collect_pin', {}, undefined, interrupted));
  const pin = use('collect_pin');
  said();
  press('1234');
  assert.equal(await pin, '1234');
});

test('an entry of an agent that cannot be interrupted ends even if it is forced to', async () => {
  const { use, said, speechHandle, listeners, waiting, muted } = start([{ ...PIN, sensitive: true }]);
  speechHandle.allowInterruptions = false;
  const forced = new AbortController();
  const result = use('collect_pin', {}, forced.signal);
  said();
  speechHandle.interrupt(true);
  forced.abort();
  await assert.rejects(result, /The entry was interrupted/);
  assert.deepEqual([listeners(), waiting()], [0, 0]);
  while (muted() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});

test('keys that are pressed while the agent still asks count', async () => {
  const { use, said, press } = start([PIN]);
  const result = use('collect_pin');
  press('12');
  said();
  press('34');
  assert.equal(await result, '1234');
});

test('keys of the target of a transfer are not those of the caller', async () => {
  const { use, said, press } = start([PIN]);
  const result = use('collect_pin');
  said();
  press('12');
  press('1', 'transfer-1');
  press('34');
  assert.equal(await result, '1234');
});

test('an entry that is interrupted is none: nobody gets half of it', async (t) => {
  const { url, received } = await serveFunction(t);
  const check = { name: 'check_pin', description: 'Checks.', url, body: '{"pin": {{pin}}}' };
  const { use, said, press } = start([PIN], [check]);
  const interrupted = new AbortController();
  const result = use('collect_pin', {}, interrupted.signal);
  said();
  press('47');
  interrupted.abort();
  await assert.rejects(result, /interrupted/);
  await use('check_pin');
  assert.deepEqual(received, [{ pin: null }]);
});

test('without a key the model is told so', async () => {
  const { use, said } = start([PIN]);
  const result = use('collect_pin');
  said();
  await assert.rejects(result, /pressed no key/);
});

test('sensitive keys reach the function that names them, and nobody else', async (t) => {
  const { url, received } = await serveFunction(t);
  const check = { name: 'check_pin', description: 'Checks.', url, body: '{"pin": "{{pin}}", "shop": {{shop}}}' };
  const { use, said, press, muted } = start([{ ...PIN, sensitive: true }], [check]);
  const result = use('collect_pin');
  said();
  assert.equal(muted(), 1);
  press('4711');
  const told = await result;
  assert.match(String(told), /4 keys/);
  assert.doesNotMatch(String(told), /4711/);
  // The model cannot replace them.
  await use('check_pin', { pin: '0000' });
  assert.deepEqual(received, [{ pin: '4711', shop: 'north' }]);
  while (muted() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});

test('what is wrong in a config is said', () => {
  for (const [wrong, problem] of [
    [{ ...PIN, name: 'my pin' }, /"my pin" is no name/],
    [{ ...PIN, description: '' }, /no description/],
    [{ ...PIN, max: 33 }, /max of pin/],
    [{ ...PIN, finish_on: '##' }, /finish_on of pin/],
    [{ ...PIN, timeout_s: 0 }, /timeout_s of pin/],
  ] as const)
    assert.throws(() => start([wrong]), problem);
});

test('the recording is silent while a tool of `pause_on` runs, also one that fails; no tool is a mistake', async (t) => {
  const { url } = await serveFunction(t);
  const functions = [
    { name: 'pay', description: 'Pays.', url },
    { name: 'look', description: 'Looks.', url },
    { name: 'fail', description: 'Fails.', url: 'http://127.0.0.1:1/' },
  ];
  const { use, muted, said } = start([PIN], functions, ['pay', 'fail', 'collect_pin', 'sensitive_digits']);
  for (const [name, expected] of [
    ['pay', 1],
    ['look', 0],
    ['fail', 1],
    ['collect_pin', 1],
  ] as const) {
    const running = use(name);
    assert.equal(muted(), expected, name);
    said();
    await running.catch(() => {});
    assert.equal(muted(), 0, name);
  }
  assert.throws(() => start([PIN], functions, ['pay', 'charge']), /recording\.pause_on: there is no tool charge/);
});
