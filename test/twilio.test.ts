import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { inspect } from 'node:util';
import type { Carrier } from '../src/providers/carrier/carrier.ts';
import { createTwilioCarrier } from '../src/providers/carrier/twilio.ts';
import { ProviderError } from '../src/providers/provider-error.ts';
import { carrierContract } from './contract/carrier.ts';
import { assertRefused } from './support/answers.ts';
import { createAgent } from './support/calls.ts';
import { startService } from './support/service.ts';
import { failure, sid, startTwilioStandIn, type TwilioStandIn } from './support/twilio-stand-in.ts';

const MANY = Array.from({ length: 125 }, (_, index) => `+1500555${1000 + index}`);
const [OWNED, MUTE] = ['+15005551124', '+15005551003'];
const BROKEN = failure(500, 20500, 'Internal Server Error');

const twilio = await startTwilioStandIn({ phone_numbers: MANY });
twilio.number(MUTE).capabilities.voice = false;
const carrier = connect(twilio);
const service = await startService({ carrier: connect(twilio, { timeoutMs: 1000 }) });

function connect(standIn: TwilioStandIn, options: { authToken?: string; timeoutMs?: number; baseUrl?: string } = {}) {
  return createTwilioCarrier({ ...standIn.account, baseUrl: standIn.url, ...options });
}

for (const accepts_twice of [false, true]) {
  carrierContract(`twilio, a second attach ${accepts_twice ? 'accepted' : 'refused'}`, async () => {
    const standIn = await startTwilioStandIn({ phone_numbers: MANY, accepts_twice });
    return { carrier: connect(standIn), owned: OWNED, foreign: '+15005552000' };
  });
}

/** How the number stands at Twilio; what is assigned to it changes it there. */
const number = twilio.number(OWNED);
const untouched = structuredClone(number);
afterEach(() => {
  twilio.recover();
  Object.assign(number, untouched);
});

/** What the carrier threw; fails when any part of it, its causes included, holds the token or the header. */
async function errorOf(answer: Promise<unknown>, secret = twilio.account.authToken): Promise<ProviderError> {
  const error = await answer.then(
    () => assert.fail('it was granted'),
    (error: unknown) => error,
  );
  assert.ok(error instanceof ProviderError, inspect(error));
  const shown = `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)}`;
  for (const part of [secret, 'Basic ', 'uthorization']) assert.ok(!shown.includes(part), shown);
  return error;
}

/** The number as it was with this routing, before it was attached. */
async function attached(routing: object) {
  Object.assign(number, routing);
  const before = await carrier.findNumber(OWNED);
  assert.ok(before);
  await carrier.attach(before.carrier_sid);
  return before;
}

/** An attempt of each request that may come first, begun when it is called. */
function everyRequest(of: Carrier) {
  return [() => of.findNumber(OWNED), () => of.listNumbers(), () => of.attach(number.sid)];
}

function sent(pattern: RegExp) {
  return twilio.requests.filter(({ request }) => pattern.test(request));
}

function tooMany(headers?: { 'retry-after': string }) {
  return failure(429, 20429, 'Too Many Requests', headers);
}

test('all numbers are listed, page after page', async () => {
  const listed = await carrier.listNumbers();
  assert.deepEqual(listed.map(({ phone_number }) => phone_number).sort(), MANY);
  assert.equal(sent(/^GET .*IncomingPhoneNumbers/).length, 3);
  for (const { phone_number, voice } of listed) assert.equal(voice, phone_number !== MUTE);
});

test('a number that only contains what was asked for does not count, and the exact one is found among them', async () => {
  const longer = Array.from({ length: 60 }, (_, index) => `+1500555100${10 + index}`);
  const standIn = await startTwilioStandIn({ phone_numbers: [...longer, '+1500555100'] });
  const found = await connect(standIn).findNumber('+1500555100');
  assert.equal(found?.carrier_sid, standIn.number('+1500555100').sid);
  for (const part of ['+150055510', '500555100', '1500555100', '+1500555***', '*', '+']) {
    assert.equal(await connect(standIn).findNumber(part), null, part);
  }
});

test('a number that is attached twice is on the trunk once, as the trunk itself lists it', async () => {
  await attached({});
  await carrier.attach(number.sid);
  assert.deepEqual(sent(/^POST .*IncomingPhoneNumbers/), []);
  const { url, authorization, account } = twilio;
  const listed = await fetch(`${url}/v1/Trunks/${account.trunkSid}/PhoneNumbers`, { headers: { authorization } });
  const { phone_numbers } = (await listed.json()) as { phone_numbers: object[] };
  assert.deepEqual(phone_numbers, [number]);
});

const ROUTINGS = {
  'web addresses': {
    ...{ voice_url: 'https://example.com/voice', voice_method: 'GET' },
    ...{ voice_fallback_url: 'https://example.com/fallback', voice_fallback_method: 'GET' },
  },
  'an application': { voice_application_sid: sid('AP'), voice_url: 'https://example.com/voice' },
  'another trunk': { trunk_sid: twilio.otherTrunkSid },
  'our own trunk': { trunk_sid: twilio.account.trunkSid },
};

for (const [name, previous] of Object.entries(ROUTINGS)) {
  test(`a number that was routed to ${name} is routed there again after it was attached and detached`, async () => {
    const before = await attached(previous);
    assert.equal(number.trunk_sid, twilio.account.trunkSid);
    assert.equal(number.voice_application_sid || null, null);
    const url = 'https://example.com/meanwhile';
    Object.assign(number, {
      voice_url: url,
      voice_method: 'POST',
      voice_fallback_url: url,
      voice_fallback_method: 'POST',
    });
    await carrier.detach(before.carrier_sid, before.routing);
    assert.deepEqual(await carrier.findNumber(OWNED), before);
  });

  test(`a detaching to ${name} that fails in the middle is completed by the next`, async () => {
    const before = await attached(previous);
    twilio.disturb({ answer: BROKEN, on: /^DELETE/, times: 1 });
    twilio.disturb({ answer: BROKEN, on: /^POST .*IncomingPhoneNumbers/, times: 1 });
    for (let attempt = 0; attempt < 3; attempt++) {
      await carrier.detach(before.carrier_sid, before.routing).catch(() => {});
    }
    assert.deepEqual(await carrier.findNumber(OWNED), before);
  });
}

test('a number that somebody sent elsewhere is left alone by detaching', async () => {
  for (const theirs of [{ voice_application_sid: sid('AP'), trunk_sid: null }, { trunk_sid: twilio.otherTrunkSid }]) {
    const before = await attached({ trunk_sid: null });
    Object.assign(number, theirs);
    const after = structuredClone(number);
    await carrier.detach(before.carrier_sid, { ...before.routing, voice_url: 'https://example.com/old' });
    assert.deepEqual(number, after);
  }
});

test('detaching a number that has left the account is no error, attaching it is', async () => {
  const { routing } = (await carrier.findNumber(OWNED)) ?? assert.fail();
  await carrier.detach(sid('PN'), routing);
  const error = await errorOf(carrier.attach(sid('PN')));
  assert.deepEqual([error.code, error.provider_code, error.operation], ['provider_refused', '20404', 'attach']);
});

test('a wrong token is a refusal that shows neither the token nor the header', async () => {
  const authToken = 'a-token-that-is-wrong';
  const locked = connect(twilio, { authToken });
  for (const attempt of everyRequest(locked)) {
    const error = await errorOf(attempt(), authToken);
    assert.deepEqual([error.code, error.provider_code, error.retryable], ['provider_refused', '20003', false]);
  }
});

for (const [headers, pauseMs] of [
  [{ 'retry-after': '1' }, 990],
  [undefined, 240],
] as const) {
  test(`a request that came too fast is sent again after a pause (${headers?.['retry-after'] ?? 'none named'})`, async () => {
    twilio.disturb({ answer: tooMany(headers), times: 1 });
    await carrier.attach(number.sid);
    const [first, second, ...more] = sent(/^POST/);
    assert.ok(first && second && more.length === 0);
    assert.ok(second.at - first.at >= pauseMs, `${second.at - first.at} ms`);
    assert.equal(number.trunk_sid, twilio.account.trunkSid);
  });
}

test('too many requests for ever end in an error after the third', async () => {
  twilio.disturb({ answer: tooMany({ 'retry-after': '0' }) });
  const error = await errorOf(carrier.findNumber(OWNED));
  assert.deepEqual([error.code, error.provider_code, error.retryable], ['provider_unavailable', '20429', true]);
  assert.equal(twilio.requests.length, 3);
});

test('a pause longer than the time that is left is not begun', async () => {
  twilio.disturb({ answer: tooMany({ 'retry-after': '60' }) });
  assert.equal((await errorOf(carrier.findNumber(OWNED))).code, 'provider_unavailable');
  assert.equal(twilio.requests.length, 1);
});

const OUTAGES = {
  'an internal error': BROKEN,
  'the page of a proxy': { status: 502, body: '<html>Bad Gateway</html>' },
  'a page where JSON is due': { status: 200, body: '<html>Sign in</html>' },
  'a redirect': { status: 302, body: {}, headers: { location: 'https://example.com' } },
};

for (const [name, answer] of Object.entries(OUTAGES)) {
  test(`${name} means that the carrier is unavailable, and the request may be repeated`, async () => {
    twilio.disturb({ answer });
    for (const attempt of everyRequest(carrier)) {
      const error = await errorOf(attempt());
      assert.deepEqual([error.code, error.retryable], ['provider_unavailable', true]);
    }
    assert.equal(twilio.requests.length, 3);
  });
}

test('a carrier that nobody listens for is unavailable', async () => {
  const standIn = await startTwilioStandIn({ phone_numbers: [] });
  await standIn.close();
  const error = await errorOf(connect(standIn).listNumbers());
  assert.deepEqual([error.code, error.retryable], ['provider_unavailable', true]);
});

for (const answer of ['HANG', 'DRIP'] as const) {
  test(`a request that comes to no end (${answer}) is given up when the time is over, whichever it is`, async () => {
    const impatient = connect(twilio, { timeoutMs: 200 });
    const { carrier_sid, routing } = await attached({});
    for (const on of [/^GET/, /^POST/, /^DELETE/]) {
      twilio.disturb({ answer, on });
      const error = await errorOf(impatient.detach(carrier_sid, routing));
      assert.deepEqual([error.code, error.operation, error.retryable], ['provider_timeout', 'detach', true]);
      twilio.recover();
    }
    twilio.disturb({ answer });
    for (const attempt of everyRequest(impatient)) assert.equal((await errorOf(attempt())).code, 'provider_timeout');
  });
}

test('a base address with a path is kept in front of both of Twilio’s hosts', async () => {
  twilio.disturb({ answer: BROKEN });
  const proxied = connect(twilio, { baseUrl: `${twilio.url}/proxy/` });
  await errorOf(proxied.findNumber(OWNED));
  await errorOf(proxied.attach(number.sid));
  assert.deepEqual(
    twilio.requests.map(({ request }) => request.split('/').slice(0, 3).join('/')),
    ['GET /proxy/2010-04-01', 'POST /proxy/v1'],
  );
});

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

test('over HTTP a number is assigned with its PN… sid, and released to what it was; it is never given up', async () => {
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
  test(`over HTTP a carrier that is down for ${on} is a 503 with Retry-After, and the number stays free`, async () => {
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

test('over HTTP a release that the carrier does not carry out leaves the number assigned, and can be repeated', async () => {
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
