import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const NUMBER = '+15005550010';
const CALLER = '+15005550199';

/** A service too busy to look at a ringing call, until its caller hangs up; webhooks of these kinds are held back. */
async function busyService(held: string[], comesWithAudio = true) {
  const clock = createTestClock();
  const sandbox = createSandboxMedia({ clock, ringMs: 1 });
  const late: string[] = [];
  let isBusy = false;
  const media = {
    ...sandbox,
    subscribe: (deliver: (body: string) => Promise<void>) =>
      sandbox.subscribe(async (body) => {
        if (held.includes(JSON.parse(body).event)) late.push(body);
        else await deliver(body);
      }),
    dispatchAgent: comesWithAudio ? sandbox.dispatchAgent : sandbox.ensureAgent,
    listParticipants: (room_name: string) =>
      isBusy ? Promise.reject(new Error('too busy')) : sandbox.listParticipants(room_name),
  };
  const service = await startService({ clock, media });
  const agent_id = await createAgent(service);
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: NUMBER } });
  const room_name = sandbox.callIn(NUMBER, CALLER) ?? assert.fail();
  await eventually(
    () => sandbox.listParticipants(room_name),
    (all) => all.some(({ kind }) => kind === 'AGENT'),
  );
  isBusy = true;
  const { id } = (await service.request('GET', `/api/sessions/by-room/${room_name}`)).body;
  return {
    service,
    id,
    advance: clock.advance,
    hangUp: () => {
      isBusy = false;
      sandbox.hangUp(room_name, `sip_${CALLER}`);
    },
    beginAudio: () => sandbox.dispatchAgent({ room_name, agent_metadata: '{}' }),
    deliverLate: async (kind: string) => {
      for (const body of late.filter((one) => JSON.parse(one).event === kind))
        await service.request('POST', '/api/media/webhook', { body: JSON.parse(body) });
      await eventually(
        () => service.database.db.selectFrom('media_events').select('id').where('handled_at', 'is', null).execute(),
        (unhandled) => unhandled.length === 0,
      );
    },
  };
}

for (const fate of ['arrives after the caller has left', 'is lost'])
  test(`an answered inbound call is billed if the event of the agent's audio ${fate}`, async () => {
    const { service, id, advance, hangUp, deliverLate } = await busyService(['track_published']);
    advance(4_000);
    hangUp();
    const ended = await reaches(service, id, 'COMPLETED');
    assert.equal(ended.end_reason, 'hangup');
    // The start is recorded at most a second late.
    assert.equal(ended.duration, 3);
    assert.deepEqual(
      ended.timeline.map((entry: { call_status: string }) => entry.call_status),
      ['RINGING', 'ANSWERED', 'COMPLETED'],
    );
    if (fate !== 'is lost') await deliverLate('track_published');
    assert.deepEqual((await service.request('GET', `/api/calls/${id}`)).body, ended);
    await service.close();
  });

for (const hasAudio of [true, false])
  test(`a caller that gives up is not billed if the agent ${hasAudio ? 'speaks afterwards' : 'has no audio'}`, async () => {
    const { service, id, advance, hangUp, beginAudio, deliverLate } = await busyService(['participant_left'], false);
    advance(3_000);
    hangUp();
    advance(2_000);
    if (hasAudio) await beginAudio();
    await deliverLate('participant_left');
    const { end_reason, started_at, duration } = await reaches(service, id, 'COMPLETED');
    assert.deepEqual([end_reason, started_at, duration], ['canceled', null, 0]);
    await service.close();
  });

test('a round of the reconciler does not end an answered inbound call as canceled before the event of its end', async () => {
  const { service, id, advance, hangUp, deliverLate } = await busyService(['track_published', 'participant_left']);
  advance(4_000);
  hangUp();
  await service.app.reconcile();
  await deliverLate('participant_left');
  const { end_reason, duration } = await reaches(service, id, 'COMPLETED');
  assert.deepEqual([end_reason, duration], ['hangup', 3]);
  await service.close();
});

test('a caller whose leaving no event reports has canceled the call a few seconds later', async () => {
  const { service, id, advance, hangUp } = await busyService(['participant_left'], false);
  hangUp();
  await service.app.reconcile();
  assert.equal((await service.request('GET', `/api/calls/${id}`)).body.call_status, 'RINGING');
  advance(6_000);
  await service.app.reconcile();
  assert.equal((await reaches(service, id, 'COMPLETED')).end_reason, 'canceled');
  await service.close();
});
