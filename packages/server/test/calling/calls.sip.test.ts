import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { readJob, watchRooms } from '@switchboard/testkit/worker-jobs.ts';
import type { DialRequest } from '../../src/providers/phones.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const NUMBER = '+15005550010';
const PHONE = '+15005550100';
const env = {
  SIP_HEADERS_IN: 'X-Account,Diversion,P-Asserted-Identity',
  SIP_HEADERS_OUT: 'X-Account,User-to-User',
  SANDBOX_CONVERSATIONS: '0',
};

const clock = createTestClock();
const dialled: DialRequest[] = [];
const sandbox = createSandboxMedia({ clock, ringMs: 1 });
const media: typeof sandbox = {
  ...sandbox,
  dial: (call, canceled) => {
    dialled.push(call);
    return sandbox.dial(call, canceled);
  },
};
const service = await startService({ env, media, clock });
const rooms = watchRooms(service.media);
const agent_id = await createAgent(service, { config: { greeting: 'Hello {{sip.x-account}}' } });
await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: NUMBER } });

const start = (body: Json) => service.request('POST', '/api/calls/outbound', { user: USER, body });
const read = async (id: string) => (await service.request('GET', `/api/calls/${id}`, { user: USER })).body;

async function callIn(headers: Record<string, string>) {
  const room = sandbox.callIn(NUMBER, '+15005550199', null, `${Math.random()}@phone`, headers) ?? assert.fail();
  clock.advance(2_000);
  const session = await eventually(
    async () => (await service.request('GET', `/api/sessions/by-room/${room}`)).body,
    ({ call_status }) => call_status === 'RINGING' || call_status === 'ANSWERED',
  );
  return { room, call: await read(session.id) };
}

test('headers in the list are kept with an inbound call and are variables of its agent; the others are not', async () => {
  const { room, call } = await callIn({
    'x-account': 'C-17',
    diversion: '<sip:+15005550111@carrier.example>;reason=no-answer',
    'x-secret': 'token',
  });
  const headers_in = { 'x-account': 'C-17', diversion: '<sip:+15005550111@carrier.example>;reason=no-answer' };
  assert.deepEqual(call.sip.headers_in, headers_in);
  assert.match(call.sip.call_id, /@phone$/);
  assert.match(call.sip.bridge_call_id, /^SCL_/);
  assert.deepEqual(call.variables, {}, 'nobody asked for these');
  const variables = { 'sip.x-account': 'C-17', 'sip.diversion': headers_in.diversion };
  const job = await eventually(
    async () => rooms.get(room)?.agent_metadata,
    (text) => text !== undefined,
  );
  assert.deepEqual((await readJob(service, job ?? '')).variables, variables);
  const shown = await service.request('GET', `/api/calls/${call.call_id}/job`, { user: USER });
  assert.deepEqual(shown.body.job.variables, variables);
});

test('hostile headers are cut or dropped, and fail no call', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'v'.repeat(100)]));
  const { call } = await callIn({
    ...many,
    'x-account': `\r\nVia: x\0\u202e ${'A'.repeat(8192)}`,
    diversion: '\u0000\r\n\t',
    'p-asserted-identity': `${'a'.repeat(255)}😀`,
  });
  const { headers_in } = call.sip;
  assert.deepEqual(Object.keys(headers_in).sort(), ['p-asserted-identity', 'x-account']);
  assert.equal(headers_in['x-account'].length, 256);
  assert.match(headers_in['x-account'], /^Via: x A+$/);
  assert.equal(headers_in['p-asserted-identity'], `${'a'.repeat(255)}\ufffd`);
});

test('an outbound call sets the headers of the list, once, and shows them', async () => {
  const sip_headers = { 'x-account': 'C-17', 'User-to-User': '5468;encoding=hex' };
  const { status, body } = await start({ agent_id, phone_number: PHONE, sip_headers });
  assert.equal(status, 201);
  await reaches(service, body.call_id, 'ANSWERED');
  assert.deepEqual(dialled.at(-1)?.headers, sip_headers);
  const ringing = await read(body.call_id);
  assert.deepEqual([ringing.sip.headers_out, ringing.sip.call_id], [sip_headers, null]);
  await start({ agent_id, phone_number: PHONE });
  await eventually(
    async () => dialled.length,
    (count) => count === 2,
  );
  assert.equal(dialled.at(-1)?.headers, undefined);
});

for (const [about, headers, loc] of [
  ['is not in the list', { 'X-Other': 'a' }, ['body', 'sip_headers', 'X-Other']],
  ['belongs to the dialog', { Via: 'SIP/2.0/UDP a' }, ['body', 'sip_headers', 'Via']],
  ['begins another header', { 'X-Account': 'a\r\nVia: b' }, ['body', 'sip_headers', 'X-Account']],
  ['has a control character', { 'X-Account': 'a\u0000' }, ['body', 'sip_headers', 'X-Account']],
  ['has a name with a line break', { 'X-Account: a\r\nVia': 'b' }, ['body', 'sip_headers', 'X-Account: a\r\nVia']],
  ['is empty', { 'X-Account': '' }, ['body', 'sip_headers', 'X-Account']],
  ['is too long', { 'X-Account': 'a'.repeat(257) }, ['body', 'sip_headers', 'X-Account']],
  ['is there twice', { 'X-Account': 'a', 'x-account': 'b' }, ['body', 'sip_headers', 'x-account']],
] as const)
  test(`a header that ${about} is refused, whether the call is placed now or later`, async () => {
    const count = dialled.length;
    for (const when of [{}, { at: new Date(clock.now().getTime() + 60_000).toISOString() }]) {
      const { status, body } = await start({ agent_id, phone_number: PHONE, sip_headers: headers, ...when });
      assert.deepEqual([status, body.detail?.[0]?.loc], [422, loc]);
    }
    assert.equal(dialled.length, count);
  });

test('a call sets at most ten headers', async () => {
  const sip_headers = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'a']));
  const { status, body } = await start({ agent_id, phone_number: PHONE, sip_headers });
  assert.deepEqual([status, body.detail[0].loc, body.detail[0].type], [422, ['body', 'sip_headers'], 'too_long']);
});

test('a repeated request with other headers is another request', async () => {
  const headers = { 'idempotency-key': 'once' };
  const send = (account: string) =>
    service.request('POST', '/api/calls/outbound', {
      user: USER,
      headers,
      body: { agent_id, phone_number: PHONE, sip_headers: { 'X-Account': account } },
    });
  const [first, again, other] = [await send('a'), await send('a'), await send('b')];
  assert.deepEqual([first.status, again.body, other.status], [201, first.body, 422]);
});

test('a scheduled call is dialled with its headers', async () => {
  const sip_headers = { 'X-Account': 'later' };
  const at = new Date(clock.now().getTime() + 60_000).toISOString();
  const { status } = await start({ agent_id, phone_number: PHONE, sip_headers, at });
  assert.equal(status, 201);
  clock.advance(61_000);
  await service.app.reconcile();
  await eventually(
    async () => dialled.at(-1)?.headers,
    (headers) => headers?.['X-Account'] === 'later',
  );
});

test('the ids of an outbound call are known once its phone has left, whoever ended it', async () => {
  for (const end of ['phone', 'user'] as const) {
    const { body } = await start({ agent_id, phone_number: PHONE });
    await reaches(service, body.call_id, 'ANSWERED');
    if (end === 'phone') sandbox.hangUp(body.room_name, 'phone');
    else await service.request('POST', `/api/calls/${body.call_id}/end`, { user: USER });
    const { sip } = await eventually(
      () => read(body.call_id),
      (call) => call.sip !== null,
    );
    assert.match(sip.call_id, /@sandbox\.invalid$/);
    assert.match(sip.bridge_call_id, /^SCL_/);
  }
});

test('a phone that never answers has only the bridge’s id', async () => {
  const { body } = await start({ agent_id, phone_number: '+15005550001' });
  // The id comes with the phone, the status with its answer.
  await reaches(service, body.call_id, 'FAILED');
  const { sip, sip_status_code } = await eventually(
    () => read(body.call_id),
    (call) => call.sip !== null,
  );
  assert.deepEqual([sip.call_id, sip_status_code], [null, 486]);
  assert.match(sip.bridge_call_id, /^SCL_/);
});

test('figures of the line are reported with the outcome, and those of before stay', async () => {
  const { body } = await start({ agent_id, phone_number: PHONE, sip_headers: { 'X-Account': 'C-17' } });
  const report = (sip: Json) =>
    service.request('POST', `/api/calls/${body.call_id}/outcome`, { user: USER, body: { sip } });
  assert.equal((await report({ jitter_ms: 2.5, packet_loss_percent: 0.25 })).status, 200);
  const { sip } = (await report({ codec: 'PCMU', q850_cause: 16, jitter_ms: 3 })).body;
  const { codec, q850_cause, jitter_ms, packet_loss_percent, headers_out } = sip;
  assert.deepEqual([codec, q850_cause, jitter_ms, packet_loss_percent], ['PCMU', 16, 3, 0.25]);
  assert.deepEqual(headers_out, { 'X-Account': 'C-17' });
  for (const wrong of [{ codec: 'PCMU\r\n' }, { q850_cause: 128 }, { jitter_ms: -1 }, { mos: 4 }])
    assert.equal((await report(wrong)).status, 422);
});

test('a call in a browser has no line', async () => {
  const { body } = await service.request('POST', '/api/calls/web', { user: USER, body: { agent_id } });
  assert.equal((await read(body.call_id)).sip, null);
  const answer = await service.request('POST', `/api/calls/${body.call_id}/outcome`, {
    user: USER,
    body: { sip: { codec: 'PCMU' } },
  });
  assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['body', 'sip']]);
});
