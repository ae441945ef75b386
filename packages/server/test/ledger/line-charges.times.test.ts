import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { lineOf, setPrices } from '../support/lines.ts';

const START = '2026-03-01T10:00:00.000Z';
const NUMBER = '+15005550010';

/** A service whose media server has another clock, and whose events arrive while nothing is held. */
async function startLate({ clockIsOffByMs = 0 } = {}) {
  const clock = createTestClock(START);
  const mediaClock: Clock = { ...clock, now: () => new Date(clock.now().getTime() + clockIsOffByMs) };
  const media = createSandboxMedia({ clock: mediaClock, ringMs: 1 });
  const held: (() => Promise<void>)[] = [];
  let isHolding = false;
  const service = await startService({
    clock,
    media: {
      ...media,
      subscribe: (deliver) =>
        media.subscribe(async (body) => {
          if (isHolding) held.push(() => deliver(body));
          else await deliver(body);
        }),
    },
  });
  await setPrices(service, [['', null, '1', '1/1']]);
  const hold = () => {
    isHolding = true;
  };
  const release = async () => {
    isHolding = false;
    for (const deliver of held.splice(0)) await deliver();
  };
  return { service, clock, media, hold, release, held };
}

/** A service to which the caller of a call is missing from its room while `reconnecting.now`. */
async function startReconnecting() {
  const clock = createTestClock(START);
  const media = createSandboxMedia({ clock, ringMs: 1 });
  const reconnecting = { now: false, looks: 0 };
  const listParticipants: typeof media.listParticipants = async (room_name) => {
    const all = await media.listParticipants(room_name);
    if (!reconnecting.now || !all.some(({ identity }) => identity.startsWith('transfer-'))) return all;
    reconnecting.looks++;
    return all.filter(({ identity }) => identity !== 'phone');
  };
  const service = await startService({ clock, media: { ...media, listParticipants } });
  await setPrices(service, [['', null, '1', '1/1']]);
  return { service, clock, media, reconnecting };
}

/** The seconds for which the line of a session was billed, in the order of amounts. */
async function secondsBilled(service: Service, session_id: string): Promise<number[]> {
  const lines = (await lineOf(service, session_id)).filter((line) => line.startsWith('telephony'));
  return lines.map((line) => Math.round(Number(line.split(' ')[3]) * 60)).sort((a, b) => a - b);
}

for (const [about, clockIsOffByMs, lateMs, expected] of [
  ['a hang-up that is learned of late is billed until it happened', 0, 20_000, 5],
  ['a clock that is a little ahead counts as right', 900, 20_000, 6],
  ['a clock that is behind is not believed', -30_000, 20_000, 24],
  ['a clock that is ahead of the receipt is not believed', 3_600_000, 20_000, 24],
  ['a delay that no event has is not believed', 0, 120_000, 124],
] as const) {
  test(about, async () => {
    const { service, clock, media, hold, release } = await startLate({ clockIsOffByMs });
    const { call_id, room_name } = await answeredCall(service);
    clock.advance(4_300);
    hold();
    media.hangUp(room_name, 'phone');
    clock.advance(lateMs - 300);
    await release();
    const call = await reaches(service, call_id, 'COMPLETED');
    assert.equal(call.end_reason, 'hangup');
    assert.deepEqual([call.duration, await secondsBilled(service, call_id)], [expected, [expected]]);
    assert.equal(Date.parse(call.ended_at) - Date.parse(call.started_at), expected * 1000);
    await service.close();
  });
}

test('an inbound call whose events are late is billed from its answer to its end', async () => {
  const { service, clock, media, hold, release, held } = await startLate();
  const agent_id = await createAgent(service);
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: NUMBER } });
  const room_name = media.callIn(NUMBER, '+15005550199') ?? assert.fail();
  const { body } = await eventually(
    () => service.request('GET', `/api/sessions/by-room/${room_name}`),
    (answer) => answer.body.call_status === 'ANSWERED',
  );
  clock.advance(2_000);
  hold();
  media.hangUp(room_name, 'sip_+15005550199');
  assert.ok(held.length > 0);
  clock.advance(8_000);
  await release();
  assert.equal((await reaches(service, body.id, 'COMPLETED')).duration, 3);
  assert.deepEqual(await secondsBilled(service, body.id), [3]);
  await service.close();
});

test('the target of a warm transfer that leaves is billed until it left, however late that is learned of', async () => {
  const { service, clock, media, hold, release } = await startLate();
  const { call_id, room_name } = await answeredCall(service);
  await service.request('POST', `/api/sessions/${call_id}/transfer`, {
    body: { phone_number: '+15005550101', type: 'WARM' },
  });
  const transfers = async () => (await service.request('GET', `/api/calls/${call_id}`)).body.transfers;
  await eventually(transfers, ([one]) => one.status === 'connected');
  const target = (await media.listParticipants(room_name)).find(({ identity }) => identity.startsWith('transfer-'));
  clock.advance(6_000);
  hold();
  media.hangUp(room_name, target?.identity ?? '');
  clock.advance(9_000);
  await release();
  await eventually(transfers, ([one]) => one.status === 'failed');
  await service.request('POST', `/api/calls/${call_id}/end`);
  assert.deepEqual(await secondsBilled(service, call_id), [7, 15]);
  await service.close();
});

test('a target that leaves after its transfer is billed until it left, and the caller until it is hung up', async () => {
  const { service, clock, media, hold, release } = await startLate();
  const { call_id, room_name } = await answeredCall(service);
  const body = { phone_number: '+15005550101', type: 'WARM' };
  await service.request('POST', `/api/sessions/${call_id}/transfer`, { body });
  const transfers = async () => (await service.request('GET', `/api/calls/${call_id}`)).body.transfers;
  await eventually(transfers, ([one]) => one.status === 'connected');
  assert.equal((await service.request('POST', `/api/sessions/${call_id}/transfer/complete`)).status, 200);
  // The departure of the agent is handled before the target leaves.
  const departures = service.database.db
    .selectFrom('media_events')
    .select('id')
    .where('body', 'like', '%"participant_left"%')
    .where('handled_at', 'is not', null);
  await eventually(
    () => departures.execute(),
    ({ length }) => length === 1,
  );
  const target = (await media.listParticipants(room_name)).find(({ identity }) => identity.startsWith('transfer-'));
  clock.advance(6_000);
  hold();
  media.hangUp(room_name, target?.identity ?? '');
  clock.advance(9_000);
  await release();
  assert.equal((await reaches(service, call_id, 'COMPLETED')).duration, 15);
  assert.deepEqual(await secondsBilled(service, call_id), [7, 15]);
  await service.close();
});

test('a hang-up whose event is lost is billed until it was first noticed, not until it was certain', async () => {
  const { service, clock, media, hold } = await startLate();
  hold();
  const { call_id, room_name } = await placeCall(service, '+15005550100');
  await reaches(service, call_id, 'ANSWERED');
  await service.app.reconcile();
  clock.advance(10_000);
  media.hangUp(room_name, 'phone');
  await service.app.reconcile();
  clock.advance(6_000);
  await service.app.reconcile();
  assert.equal((await reaches(service, call_id, 'COMPLETED')).duration, 10);
  assert.deepEqual(await secondsBilled(service, call_id), [10]);
  await service.close();
});

for (const [about, isReported] of [
  ['is learned of late', true],
  ['was never reported', false],
] as const) {
  test(`a phone whose agent has left is billed until it is hung up, even if the departure ${about}`, async () => {
    const { service, clock, media, hold, release } = await startLate();
    const { call_id, room_name } = await answeredCall(service);
    const agent = (await media.listParticipants(room_name)).find(({ kind }) => kind === 'AGENT');
    // The call may be answered before the join of its agent is recorded, and nobody misses one that has not joined.
    const joined = service.database.db.selectFrom('sessions').select('agent_joined_at').where('id', '=', call_id);
    await eventually(
      () => joined.executeTakeFirstOrThrow(),
      ({ agent_joined_at }) => agent_joined_at !== null,
    );
    clock.advance(4_000);
    hold();
    media.hangUp(room_name, agent?.identity ?? '');
    await service.app.reconcile();
    clock.advance(20_000);
    if (isReported) await release();
    else await service.app.reconcile();
    assert.equal((await reaches(service, call_id, 'COMPLETED')).duration, 24);
    assert.deepEqual(await secondsBilled(service, call_id), [24]);
    await service.close();
  });
}

test('the target of a transfer is billed from its answer, however long its caller is reconnecting then', async () => {
  const { service, clock, media, reconnecting } = await startReconnecting();
  const { call_id } = await answeredCall(service);
  reconnecting.now = true;
  const body = { phone_number: '+15005550101', type: 'WARM' };
  await service.request('POST', `/api/sessions/${call_id}/transfer`, { body });
  await eventually(
    async () => reconnecting.looks,
    (looks) => looks > 1,
  );
  clock.advance(3_000);
  reconnecting.now = false;
  const transfers = async () => (await service.request('GET', `/api/calls/${call_id}`)).body.transfers;
  await eventually(transfers, ([one]) => one.status === 'connected');
  clock.advance(6_000);
  await service.request('POST', `/api/calls/${call_id}/end`);
  assert.deepEqual(await secondsBilled(service, call_id), [9, 9]);
  await media.close();
  await service.close();
});
