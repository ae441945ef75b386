import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { inspect } from 'node:util';
import { failure, sid, startTwilioStandIn, type TwilioStandIn } from '@switchboard/testkit/twilio-stand-in.ts';
import type { Carrier } from '../../src/providers/carrier.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createTwilioCarrier } from '../../src/providers/twilio/twilio.ts';
import { carrierContract } from '../contract/carrier.ts';

const MANY = Array.from({ length: 125 }, (_, index) => `+1500555${1000 + index}`);
const [OWNED, MUTE] = ['+15005551124', '+15005551003'];
const BROKEN = failure(500, 20500, 'Internal Server Error');

const twilio = await startTwilioStandIn({ phone_numbers: MANY });
twilio.number(MUTE).capabilities.voice = false;
const carrier = connect(twilio);

function connect(standIn: TwilioStandIn, options: { authToken?: string; timeoutMs?: number; baseUrl?: string } = {}) {
  return createTwilioCarrier({ ...standIn.account, baseUrl: standIn.url, ...options });
}

test('a number that had no URL is released with one GET and one DELETE, without sending empty URLs', async () => {
  const before = await attached({});
  twilio.recover();
  await carrier.detach(before.carrier_sid, before.routing);
  assert.deepEqual(
    twilio.requests.map(({ request }) => request.split(' ')[0]),
    ['GET', 'DELETE'],
  );
  assert.deepEqual(await carrier.findNumber(OWNED), before);
});

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
  twilio.acceptEmpty(false);
  Object.assign(number, untouched);
});

/** The error that the carrier threw; fails when any part of it, its causes included, holds the token or the header. */
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

test('only an exact match of the number counts, even among partial matches', async () => {
  const longer = Array.from({ length: 60 }, (_, index) => `+1500555100${10 + index}`);
  const standIn = await startTwilioStandIn({ phone_numbers: [...longer, '+1500555100'] });
  const found = await connect(standIn).findNumber('+1500555100');
  assert.equal(found?.carrier_sid, standIn.number('+1500555100').sid);
  for (const part of ['+150055510', '500555100', '1500555100', '+1500555***', '*', '+']) {
    assert.equal(await connect(standIn).findNumber(part), null, part);
  }
});

test('a number that is attached twice is on the trunk once', async () => {
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
    voice_url: 'https://example.com/voice',
    voice_method: 'GET',
    voice_fallback_url: 'https://example.com/fallback',
    voice_fallback_method: 'GET',
  },
  'an application': { voice_application_sid: sid('AP'), voice_url: 'https://example.com/voice' },
  'another trunk': { trunk_sid: twilio.otherTrunkSid },
  'our own trunk': { trunk_sid: twilio.account.trunkSid },
};

/** As if somebody had set addresses while the number is on our trunk, where nobody asks them. */
function rerouteAtCarrier() {
  const url = 'https://example.com/meanwhile';
  Object.assign(number, { voice_url: url, voice_method: 'POST', voice_fallback_url: url });
  Object.assign(number, { voice_fallback_method: 'POST' });
  return { voice_url: url, voice_fallback_url: url };
}

for (const [name, previous] of Object.entries(ROUTINGS)) {
  test(`a number routed to ${name} is routed there again after attach and detach`, async () => {
    const before = await attached(previous);
    assert.equal(number.trunk_sid, twilio.account.trunkSid);
    assert.equal(number.voice_application_sid || null, null);
    rerouteAtCarrier();
    twilio.acceptEmpty(true);
    await carrier.detach(before.carrier_sid, before.routing);
    assert.deepEqual(await carrier.findNumber(OWNED), before);
  });

  test(`a number routed to ${name} is released although URLs cannot be emptied; only the new ones remain`, async () => {
    const before = await attached(previous);
    const meanwhile = rerouteAtCarrier();
    await carrier.detach(before.carrier_sid, before.routing);
    const { voice_url, voice_fallback_url } = before.routing;
    const addresses = {
      voice_url: voice_url ?? meanwhile.voice_url,
      voice_fallback_url: voice_fallback_url ?? meanwhile.voice_fallback_url,
    };
    assert.deepEqual(await carrier.findNumber(OWNED), { ...before, routing: { ...before.routing, ...addresses } });
  });

  test(`a detach to ${name} that fails in the middle is completed by the next`, async () => {
    const before = await attached(previous);
    twilio.disturb({ answer: BROKEN, on: /^DELETE/, times: 1 });
    twilio.disturb({ answer: BROKEN, on: /^POST .*IncomingPhoneNumbers/, times: 1 });
    for (let attempt = 0; attempt < 3; attempt++) {
      await carrier.detach(before.carrier_sid, before.routing).catch(() => {});
    }
    assert.deepEqual(await carrier.findNumber(OWNED), before);
  });
}

test('a number leaves our trunk although the one that it had before no longer exists', async () => {
  const before = await attached({});
  const gone = { ...before.routing, trunk_sid: sid('TK') };
  await carrier.detach(before.carrier_sid, gone);
  assert.equal(number.trunk_sid, null);
});

test('a number stays on our trunk when the key may not route it back', async () => {
  const before = await attached({ voice_url: 'https://example.com/voice' });
  const previous = { ...before.routing, voice_url: 'https://example.com/other' };
  twilio.disturb({ answer: failure(403, 20003, 'Permission Denied'), on: /^POST .*IncomingPhoneNumbers/, times: 1 });
  const error = await errorOf(carrier.detach(before.carrier_sid, previous));
  assert.equal(error.code, 'provider_refused');
  assert.equal(number.trunk_sid, twilio.account.trunkSid);
});

test('detaching leaves a number alone that was rerouted', async () => {
  for (const theirs of [{ voice_application_sid: sid('AP'), trunk_sid: null }, { trunk_sid: twilio.otherTrunkSid }]) {
    const before = await attached({ trunk_sid: null });
    Object.assign(number, theirs);
    const after = structuredClone(number);
    await carrier.detach(before.carrier_sid, { ...before.routing, voice_url: 'https://example.com/old' });
    assert.deepEqual(number, after);
  }
});

test('detaching a number that has left the account succeeds, attaching it is an error', async () => {
  const { routing } = (await carrier.findNumber(OWNED)) ?? assert.fail();
  await carrier.detach(sid('PN'), routing);
  const error = await errorOf(carrier.attach(sid('PN')));
  assert.deepEqual([error.code, error.provider_code, error.operation], ['provider_refused', '20404', 'attach']);
});

test('a wrong token is refused without showing the token or the header', async () => {
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
  test(`a rate-limited request is sent again after a pause (${headers?.['retry-after'] ?? 'none named'})`, async () => {
    twilio.disturb({ answer: tooMany(headers), times: 1 });
    await carrier.attach(number.sid);
    const [first, second, ...more] = sent(/^POST/);
    assert.ok(first && second && more.length === 0);
    assert.ok(second.at - first.at >= pauseMs, `${second.at - first.at} ms`);
    assert.equal(number.trunk_sid, twilio.account.trunkSid);
  });
}

test('a request that stays rate limited fails after the third attempt', async () => {
  twilio.disturb({ answer: tooMany({ 'retry-after': '0' }) });
  const error = await errorOf(carrier.findNumber(OWNED));
  assert.deepEqual([error.code, error.provider_code, error.retryable], ['provider_unavailable', '20429', true]);
  assert.equal(twilio.requests.length, 3);
});

test('a pause longer than the remaining time is not started', async () => {
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

test('a carrier that refuses connections is unavailable', async () => {
  const standIn = await startTwilioStandIn({ phone_numbers: [] });
  await standIn.close();
  const error = await errorOf(connect(standIn).listNumbers());
  assert.deepEqual([error.code, error.retryable], ['provider_unavailable', true]);
});

for (const answer of ['HANG', 'DRIP'] as const) {
  test(`a request that never completes (${answer}) times out, whichever it is`, async () => {
    const impatient = connect(twilio, { timeoutMs: 200 });
    const { carrier_sid, routing } = await attached({ voice_url: 'https://example.com/voice' });
    rerouteAtCarrier();
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

test('a base URL with a path is kept for both of Twilio’s hosts', async () => {
  twilio.disturb({ answer: BROKEN });
  const proxied = connect(twilio, { baseUrl: `${twilio.url}/proxy/` });
  await errorOf(proxied.findNumber(OWNED));
  await errorOf(proxied.attach(number.sid));
  assert.deepEqual(
    twilio.requests.map(({ request }) => request.split('/').slice(0, 3).join('/')),
    ['GET /proxy/2010-04-01', 'POST /proxy/v1'],
  );
});
