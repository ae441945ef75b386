import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCapacity, FULL } from '../capacity.ts';
import { readSettings } from '../settings.ts';
import { readCall } from '../switchboard/call.ts';
import { minutes, times } from '../switchboard/prices.ts';

test('the load is that of the calls, and full only when the last place is taken', () => {
  const { load } = createCapacity(3);
  assert.equal(load([]), 0);
  assert.ok(load(['a']) < load(['a', 'b']) && load(['a', 'b']) < FULL);
  assert.equal(load(['a', 'b', 'c']), 1);
});

test('a burst of calls does not get past the limit, and a call that never starts gives its place back', () => {
  let now = 0;
  const capacity = createCapacity(2, () => now);
  assert.deepEqual([capacity.take('a', []), capacity.take('b', []), capacity.take('c', [])], [true, true, false]);
  assert.equal(capacity.take('c', ['a']), false, 'b is still starting');
  now = 60_000;
  assert.equal(capacity.take('c', ['a']), true);
});

test('a cost is exact', () => {
  assert.equal(times('1250', '0.0000006'), '0.0007500');
  assert.equal(times('0.016667', '0.0043'), '0.0000716681');
  assert.equal(times('3', '2'), '6');
  assert.equal(times('12345678901234567890', '0.1'), '1234567890123456789.0');
  assert.throws(() => times('1e3', '1'));
  assert.equal(minutes(1000), '0.016667');
});

test('the metadata of a dispatch is read, and what is not of Switchboard is refused in words', () => {
  const told = {
    session_id: 's',
    room_name: 'r',
    user_id: 'u',
    agent_id: 'a',
    agent_name: 'Front desk',
    config: { x: 1 },
  };
  const phone = { call_direction: 'OUTBOUND', outbound_phone_number: '+15005550100' };
  assert.deepEqual(readCall(JSON.stringify({ ...told, ...phone })), { ...told, ...phone });
  assert.deepEqual(readCall(JSON.stringify({ session_id: 's', room_name: 'r', user_id: 'u', config: [] })).config, {});
  assert.throws(() => readCall('hello'), /not a JSON object/);
  assert.throws(() => readCall('{"session_id": "s"}'), /no room_name/);
});

test('all mistakes of the configuration are named at once', () => {
  const right = {
    ...{ LIVEKIT_URL: 'ws://127.0.0.1:7880', LIVEKIT_API_KEY: 'devkey' },
    ...{ LIVEKIT_API_SECRET: 'secret', LIVEKIT_AGENT_NAME: 'my-agent' },
  };
  assert.equal(
    readSettings({ ...right, SWITCHBOARD_URL: 'http://127.0.0.1:8000/' }).switchboardUrl,
    'http://127.0.0.1:8000',
  );
  assert.throws(
    () => readSettings({ LIVEKIT_URL: 'here', LIVEKIT_API_KEY: 'k', LIVEKIT_API_SECRET: 's', WORKER_PORT: '0' }),
    /WORKER_PORT must.*\n.*LIVEKIT_URL must be a URL.*\n.*LIVEKIT_AGENT_NAME must be set/,
  );
});
