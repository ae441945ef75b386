import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

// The sandbox's phones under the rules of a network whose calls cost money.
const dialled: string[] = [];
const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 20 });
const service = await startService({
  media: {
    ...sandbox,
    simulated: false,
    dial: (call) => {
      dialled.push(call.phone_number);
      return sandbox.dial(call);
    },
    refer: (room_name, identity, phone_number) => {
      dialled.push(phone_number);
      return sandbox.refer(room_name, identity, phone_number);
    },
  },
  env: { CALLING_COUNTRIES: 'US,DE', CALLING_BLOCKED_PREFIXES: '+1712', CALLS_BURST: '1000', CALLS_CONCURRENT: '1000' },
});
const agent_id = await createAgent(service);

const call = (phone_number: string) =>
  service.request('POST', '/api/calls/outbound', { user: USER, body: { agent_id, phone_number } });

test('a forbidden number is a 403 with the reason, for calls and transfers, and is not dialled', async () => {
  const placed = await call('+14155550100');
  assert.equal(placed.status, 201);
  const { call_id } = await answeredCall({
    request: (method, path, options) =>
      path === '/api/calls/outbound' ? call('+4915112345678') : service.request(method, path, options),
  });
  dialled.length = 0;
  for (const [phone_number, why] of [
    ['+19005551234', 'its kind is PREMIUM_RATE'],
    ['+17005551234', 'no numbering plan has it'],
    ['+4911833', 'it is a directory service'],
    ['+4911212345', '112 is an emergency number'],
    ['+19115551212', '911 is an emergency number'],
    ['+447012345678', 'it is a personal number'],
    ['+442079460123', 'GB is not among CALLING_COUNTRIES'],
    ['+17124321234', 'it begins with +1712, which is in CALLING_BLOCKED_PREFIXES'],
  ] as const) {
    const transfer = (type: string) =>
      service.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number, type } });
    for (const { status, body } of [await call(phone_number), await transfer('COLD'), await transfer('WARM')])
      assert.deepEqual(
        [status, body.code, body.detail],
        [403, 'destination_not_allowed', `This number must not be dialled: ${why}.`],
      );
  }
  assert.deepEqual(dialled, []);
});

test('an emergency number, with a country code or without, is not an E.164 number, and is not dialled', async () => {
  dialled.length = 0;
  for (const phone_number of ['112', '+112', '+1911', '+44999', '+49110', '+49112'])
    assert.equal((await call(phone_number)).status, 422, phone_number);
  assert.deepEqual(dialled, []);
});
