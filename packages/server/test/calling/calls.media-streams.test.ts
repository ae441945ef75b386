import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { lineOf } from '../support/lines.ts';
import { createStreamMedia } from '../support/stream-media.ts';

// The features must not know that LiveKit has rooms and participants: here each call is one stream between a phone
// and a worker, and they run unchanged.
const NUMBER = '+15005550010';
const PHONE = '+15005550100';
const BUSY = '+15005550001';
/** Where no real phone rings, ten times as many calls are allowed. */
const MAX_CALLS = 10;
const LIMITS = { CALLS_PER_SECOND: '1000', CALLS_BURST: '1000', CALLS_CONCURRENT: '1' };

async function start() {
  const clock = createTestClock();
  const media = createStreamMedia(clock);
  const service = await startService({ clock, media, env: LIMITS });
  await service.request('PUT', '/api/prices', {
    body: {
      entries: [
        {
          provider: 'sandbox',
          event_type: 'telephony_minutes',
          price: '0.6',
          billing_increment: '1/1',
          valid_from: '2020-01-01',
        },
        {
          provider: 'streams',
          event_type: 'media_minutes',
          price: '0.06',
          billing_increment: '1/1',
          valid_from: '2020-01-01',
        },
      ],
    },
  });
  return { clock, media, service, agent_id: await createAgent(service) };
}

test('over media streams, an outbound call is answered, and ended and billed when the person hangs up', async () => {
  const { clock, media, service, agent_id } = await start();
  const { call_id, room_name } = await placeCall(service, PHONE, { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  clock.advance(30_000);
  media.hangUp(room_name);
  const ended = await reaches(service, call_id, 'COMPLETED');
  assert.deepEqual([ended.end_reason, ended.duration], ['hangup', 30]);
  assert.deepEqual(await lineOf(service, call_id), [
    'media OUTBOUND - 0.5 × 0.06 = 0.03',
    'telephony OUTBOUND - 0.5 × 0.6 = 0.3',
  ]);
  await service.close();
});

test('over media streams, busy and no answer are the states of a call, and nothing is billed', async () => {
  const { service, agent_id } = await start();
  const busy = await placeCall(service, BUSY, { agent_id });
  const { end_reason, sip_status_code } = await reaches(service, busy.call_id, 'FAILED');
  assert.deepEqual([end_reason, sip_status_code], ['busy', 486]);
  assert.deepEqual(await lineOf(service, busy.call_id), []);
  const { body } = await service.request('POST', '/api/calls/outbound', {
    user: USER,
    body: { agent_id, phone_number: '+15005550002', ringing_timeout_s: 5 },
  });
  await service.request('POST', `/api/calls/${body.call_id}/end`);
  assert.equal((await reaches(service, body.call_id, 'COMPLETED')).end_reason, 'canceled');
  await service.close();
});

test('over media streams, ending a call by the API hangs up its phone', async () => {
  const { media, service, agent_id } = await start();
  const { call_id, room_name } = await placeCall(service, PHONE, { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  assert.equal(media.statusOf(room_name), 'in-progress');
  assert.equal((await service.request('POST', `/api/calls/${call_id}/end`)).status, 200);
  assert.equal(media.statusOf(room_name), undefined);
  assert.equal((await media.listRooms()).size, 0);
  await service.close();
});

test('over media streams, a call to an assigned number is answered by its agent, and billed', async () => {
  const { clock, media, service, agent_id } = await start();
  assert.equal(media.callIn(NUMBER, PHONE), null, 'the number is not assigned yet');
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: NUMBER } });
  const key = media.callIn(NUMBER, PHONE) ?? assert.fail();
  const { body: call } = await eventually(
    () => service.request('GET', `/api/sessions/by-room/${key}`),
    ({ body }) => body.call_status === 'ANSWERED',
  );
  assert.deepEqual([call.call_direction, call.agent_id], ['INBOUND', agent_id]);
  clock.advance(6_000);
  media.hangUp(key);
  assert.equal((await reaches(service, call.id, 'COMPLETED')).end_reason, 'hangup');
  assert.deepEqual(await lineOf(service, call.id), [
    'media INBOUND - 0.1 × 0.06 = 0.006',
    'telephony INBOUND - 0.1 × 0.6 = 0.06',
  ]);
  await service.close();
});

test('over media streams, the limits on calls at once and on their length hold', async () => {
  const { clock, media, service, agent_id } = await start();
  const calls = [];
  for (let count = 0; count < MAX_CALLS; count++) calls.push(await placeCall(service, PHONE, { agent_id }));
  const one = { user: USER, body: { agent_id, phone_number: PHONE } };
  const refused = await service.request('POST', '/api/calls/outbound', one);
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_calls']);
  for (const { call_id } of calls) await reaches(service, call_id, 'ANSWERED');
  clock.advance(2 * 60 * 60 * 1000 + 1000);
  await service.app.reconcile();
  for (const { call_id } of calls)
    assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'max_duration');
  assert.equal((await media.listRooms()).size, 0);
  await service.close();
});

test('over media streams, a call whose events are lost is settled by the reconciler', async () => {
  const { clock, media, service, agent_id } = await start();
  const { call_id, room_name } = await placeCall(service, PHONE, { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  media.loseEvents();
  media.hangUp(room_name);
  await service.app.reconcile();
  clock.advance(6_000);
  await service.app.reconcile();
  assert.equal((await reaches(service, call_id, 'COMPLETED')).call_status, 'COMPLETED');
  await service.close();
});

test('over media streams, a caller is not left in silence when no worker takes the stream', async () => {
  const { clock, media, service, agent_id } = await start();
  media.stopWorkers();
  const { call_id, room_name } = await placeCall(service, PHONE, { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  clock.advance(60_000);
  await service.app.reconcile();
  const failed = await reaches(service, call_id, 'FAILED');
  assert.equal(failed.end_reason, 'agent_never_joined');
  assert.equal(media.statusOf(room_name), undefined);
  await service.close();
});
