import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { failure, sid, startTwilioStandIn } from '@switchboard/testkit/twilio-stand-in.ts';
import { createTwilioCarrier } from '../../src/providers/twilio/twilio.ts';
import { assertRefused } from '../support/answers.ts';

const OWNED = '+15005551124';
const BROKEN = failure(500, 20500, 'Internal Server Error');
const NUMBERS = /^GET .*IncomingPhoneNumbers/;
const ATTACH = /^POST .*Trunks/;

const twilio = await startTwilioStandIn({ phone_numbers: [OWNED] });
const connect = (options: object) => createTwilioCarrier({ ...twilio.account, baseUrl: twilio.url, ...options });
const carrier = connect({});
// Long enough for a busy machine, and waited for to the end where the carrier hangs.
const service = await startService({ carrier: connect({ timeoutMs: 3000 }) });

/** How the number stands at Twilio; what is assigned to it changes it there. */
const number = twilio.number(OWNED);
const untouched = structuredClone(number);
afterEach(() => {
  twilio.recover();
  Object.assign(number, untouched);
});

function sent(pattern: RegExp) {
  return twilio.requests.filter(({ request }) => pattern.test(request));
}

async function telephony(operation: 'assign' | 'release', agent_id: string, phone_number?: string) {
  return service.request('POST', `/api/telephony/numbers/${operation}`, { body: { agent_id, phone_number } });
}

async function assertFree(agent_id: string): Promise<void> {
  twilio.recover();
  assert.equal(number.trunk_sid, null);
  assert.equal((await service.request('GET', `/api/agents/${agent_id}`)).body.phone_number, null);
  assert.equal((await telephony('assign', agent_id, OWNED)).status, 200);
  assert.equal((await telephony('release', agent_id)).status, 200);
}

test('over HTTP a number is assigned with its PN… sid and released to its previous routing, and never leaves the account', async () => {
  Object.assign(number, { voice_application_sid: sid('AP') });
  const before = await carrier.findNumber(OWNED);
  const agent_id = await createAgent(service);
  const assigned = await telephony('assign', agent_id, OWNED);
  assert.match(number.sid, /^PN[0-9a-f]{32}$/);
  const expected = { status: 'assigned', agent_id, phone_number: OWNED, carrier_sid: number.sid };
  assert.deepEqual(assigned.body, expected);
  assert.equal(number.trunk_sid, twilio.account.trunkSid);
  const released = await telephony('release', agent_id);
  assert.deepEqual(released.body, { status: 'released', agent_id, phone_number: OWNED });
  assert.deepEqual(await carrier.findNumber(OWNED), before);
  assert.deepEqual(sent(/^DELETE .*IncomingPhoneNumbers/), []);
});

for (const on of [/./, /^POST .*Trunks/]) {
  test(`over HTTP a carrier that fails on ${on} is a 503 with Retry-After, and the number stays free`, async () => {
    const agent_id = await createAgent(service);
    twilio.disturb({ answer: BROKEN, on });
    const answer = await telephony('assign', agent_id, OWNED);
    assertRefused(answer, 503, 'provider_unavailable');
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    await assertFree(agent_id);
  });

  test(`over HTTP a carrier that never answers ${on} is a 504, and the number stays free`, async () => {
    const agent_id = await createAgent(service);
    twilio.disturb({ answer: 'HANG', on });
    assertRefused(await telephony('assign', agent_id, OWNED), 504, 'provider_timeout');
    await assertFree(agent_id);
  });
}

test('over HTTP a release that has no effect at the carrier leaves the number assigned, and can be repeated', async () => {
  const agent_id = await createAgent(service);
  assert.equal((await telephony('assign', agent_id, OWNED)).status, 200);
  twilio.disturb({ answer: BROKEN, on: /^DELETE/ });
  assertRefused(await telephony('release', agent_id), 503, 'provider_unavailable');
  assert.equal((await service.request('GET', `/api/agents/${agent_id}`)).body.phone_number, OWNED);
  assert.equal(number.trunk_sid, twilio.account.trunkSid);
  twilio.recover();
  assert.equal((await telephony('release', agent_id)).status, 200);
  assert.equal(number.trunk_sid, null);
});

test('over HTTP a number that had no URL before is released without sending an empty URL', async () => {
  const agent_id = await createAgent(service);
  const before = await carrier.findNumber(OWNED);
  assert.equal((await telephony('assign', agent_id, OWNED)).status, 200);
  assert.equal((await telephony('release', agent_id)).status, 200);
  assert.deepEqual(await carrier.findNumber(OWNED), before);
});

test('over HTTP the carrier’s Retry-After is passed on with a 503', async () => {
  const agent_id = await createAgent(service);
  for (const [on, status] of [
    [NUMBERS, 429],
    [ATTACH, 429],
    [ATTACH, 503],
  ] as const) {
    twilio.disturb({ answer: failure(status, 20429, 'Too Many Requests', { 'retry-after': '60' }), on });
    const answer = await telephony('assign', agent_id, OWNED);
    assertRefused(answer, 503, 'provider_unavailable');
    assert.equal(answer.headers.get('retry-after'), '60');
    await assertFree(agent_id);
  }
});

test('over HTTP a Retry-After date of the carrier is passed on in seconds', async () => {
  const at = new Date(Date.now() + 3_600_000).toUTCString();
  twilio.disturb({ answer: failure(429, 20429, 'Too Many Requests', { 'retry-after': at }) });
  const answer = await service.request('GET', '/api/telephony/numbers');
  assertRefused(answer, 503, 'provider_unavailable');
  const seconds = Number(answer.headers.get('retry-after'));
  assert.ok(Number.isInteger(seconds) && seconds > 3_000 && seconds <= 3_600, `${seconds} s`);
});

test('over HTTP a refusal names the wrong setting: the credentials or the trunk', async () => {
  const agent_id = await createAgent(service);
  twilio.disturb({ answer: failure(401, 20003, 'Authenticate') });
  const locked = await telephony('assign', agent_id, OWNED);
  assertRefused(locked, 502, 'provider_refused');
  assert.match(locked.body.detail, /TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN/);
  twilio.recover();
  const other = await startService({ carrier: connect({ trunkSid: sid('TK') }) });
  const body = { agent_id: await createAgent(other), phone_number: OWNED };
  const trunkless = await other.request('POST', '/api/telephony/numbers/assign', { body });
  assertRefused(trunkless, 502, 'provider_refused');
  assert.match(trunkless.body.detail, /TWILIO_TRUNK_SID/);
  await other.close();
  await assertFree(agent_id);
});

const GARBAGE = {
  'an empty object': {},
  'an empty list': [],
  'a list of nothing': { incoming_phone_numbers: [null], phone_numbers: [{}], sid: null },
  'numbers without a name': { incoming_phone_numbers: [{}], sid: 'PN' },
  'another number': { ...structuredClone(number), sid: sid('PN') },
};

for (const [name, body] of Object.entries(GARBAGE)) {
  test(`over HTTP a successful response with ${name} is a 502 at every step, and nothing counts as done`, async () => {
    const agent_id = await createAgent(service);
    for (const on of [NUMBERS, ATTACH]) {
      twilio.disturb({ answer: { status: 200, body }, on, times: 1 });
      assertRefused(await telephony('assign', agent_id, OWNED), 502, 'provider_answer_invalid');
      await assertFree(agent_id);
    }
    twilio.disturb({ answer: { status: 200, body }, on: NUMBERS, times: 1 });
    assertRefused(await service.request('GET', '/api/telephony/numbers'), 502, 'provider_answer_invalid');
    Object.assign(number, { voice_url: 'https://example.com/voice' });
    assert.equal((await telephony('assign', agent_id, OWNED)).status, 200);
    Object.assign(number, { voice_url: 'https://example.com/meanwhile' });
    for (const on of [NUMBERS, /^POST .*IncomingPhoneNumbers/]) {
      twilio.disturb({ answer: { status: 200, body }, on, times: 1 });
      assertRefused(await telephony('release', agent_id), 502, 'provider_answer_invalid');
      assert.equal(number.trunk_sid, twilio.account.trunkSid);
      assert.equal((await service.request('GET', `/api/agents/${agent_id}`)).body.phone_number, OWNED);
    }
    assert.equal((await telephony('release', agent_id)).status, 200);
    assert.deepEqual([number.trunk_sid, number.voice_url], [null, 'https://example.com/voice']);
  });
}

test('over HTTP a DELETE answered by a proxy’s own page does not count as done', async () => {
  const agent_id = await createAgent(service);
  assert.equal((await telephony('assign', agent_id, OWNED)).status, 200);
  twilio.disturb({ answer: { status: 200, body: '<html>Sign in</html>' }, on: /^DELETE/, times: 1 });
  assertRefused(await telephony('release', agent_id), 503, 'provider_unavailable');
  assert.equal(number.trunk_sid, twilio.account.trunkSid);
  assert.equal((await telephony('release', agent_id)).status, 200);
  assert.equal(number.trunk_sid, null);
});

test('each request over HTTP has a connection of its own, which a proxy may close without saying so', async (t) => {
  const body = JSON.stringify({ incoming_phone_numbers: [], next_page_uri: null });
  const proxy = net.createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
        socket.once('data', () => socket.destroy());
      });
  });
  t.after(() => proxy.close());
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const behind = connect({ baseUrl: `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}` });
  for (let request = 0; request < 3; request++) assert.equal(await behind.findNumber(OWNED), null);
});

test('over HTTP circular pages of the carrier are a 502', async () => {
  const next_page_uri = `/2010-04-01/Accounts/${twilio.account.accountSid}/IncomingPhoneNumbers.json?Page=1`;
  twilio.disturb({ answer: { status: 200, body: { incoming_phone_numbers: [], next_page_uri } } });
  assertRefused(await service.request('GET', '/api/telephony/numbers'), 502, 'provider_answer_invalid');
});
