import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCapacity, FULL } from '../capacity.ts';
import { readSettings } from '../settings.ts';
import { readCall } from '../switchboard/call.ts';
import { minutes } from '../switchboard/prices.ts';

test('the load follows the calls, and is full only when the last slot is taken', () => {
  const { load } = createCapacity(3);
  assert.equal(load([]), 0);
  assert.ok(load(['a']) < load(['a', 'b']) && load(['a', 'b']) < FULL);
  assert.equal(load(['a', 'b', 'c']), 1);
});

test('a burst of calls does not exceed the limit, and a call that never starts frees its slot', () => {
  let now = 0;
  const capacity = createCapacity(2, () => now);
  assert.deepEqual([capacity.take('a', []), capacity.take('b', []), capacity.take('c', [])], [true, true, false]);
  assert.equal(capacity.take('c', ['a']), false, 'b is still starting');
  now = 60_000;
  assert.equal(capacity.take('c', ['a']), true);
});

test('a worker that ends accepts no more calls, and waits for those that it has accepted', () => {
  const capacity = createCapacity(3);
  assert.ok(capacity.take('a', []) && capacity.take('b', []));
  capacity.close();
  assert.deepEqual([capacity.take('c', []), capacity.load([])], [false, 1]);
  assert.deepEqual([capacity.launching([]), capacity.launching(['a']), capacity.launching(['a', 'b'])], [2, 1, 0]);
});

test('minutes have six digits', () => {
  assert.equal(minutes(1000), '0.016667');
});

test('the metadata of a dispatch is read, and foreign metadata is refused with a clear message', () => {
  const job = {
    version: 1,
    session_id: 's',
    room_name: 'r',
    user_id: 'u',
    agent_id: 'a',
    agent_name: 'Front desk',
    agent_version: 4,
    config: { x: 1 },
    direction: 'OUTBOUND',
    from_number: null,
    to_number: '+15005550100',
    variables: { name: 'Ada' },
    metadata: {},
  };
  assert.deepEqual(readCall(JSON.stringify(job)), job);
  assert.throws(() => readCall('hello'), /not a JSON object/);
  assert.throws(() => readCall(JSON.stringify({ ...job, version: 2 })), /not of version 1/);
  assert.throws(() => readCall(JSON.stringify({ ...job, room_name: undefined })), /no room_name/);
  assert.throws(() => readCall(JSON.stringify({ ...job, config: [] })), /no config/);
});

test('all configuration errors are reported at once', () => {
  const right = {
    LIVEKIT_URL: 'ws://127.0.0.1:7880',
    LIVEKIT_API_KEY: 'devkey',
    LIVEKIT_API_SECRET: 'secret',
    LIVEKIT_AGENT_NAME: 'my-agent',
  };
  assert.equal(
    readSettings({ ...right, SWITCHBOARD_URL: 'http://127.0.0.1:8000/' }).switchboardUrl,
    'http://127.0.0.1:8000',
  );
  assert.throws(
    () => readSettings({ LIVEKIT_URL: 'here', LIVEKIT_API_KEY: 'k', LIVEKIT_API_SECRET: 's', WORKER_PORT: '0' }),
    /WORKER_PORT must.*\n.*LIVEKIT_URL must be a URL.*\n.*LIVEKIT_AGENT_NAME must be set/,
  );
  for (const url of ['https://u:secret@host', 'https://secret@host', 'ftp://u:secret@host'])
    assert.throws(
      () => readSettings({ ...right, SWITCHBOARD_URL: url }),
      ({ message }: Error) =>
        /SWITCHBOARD_URL must be a URL without a user name or a password/.test(message) && !message.includes('secret'),
    );
});
