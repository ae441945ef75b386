// A room or a participant is missing only if every round in between has missed it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

/** A service without webhooks and with a conversation whose room was seen, in a round that this service ran. */
async function talking() {
  const clock = createTestClock();
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const media = { ...sandbox, subscribe: () => {} };
  const service = await startService({ clock, media });
  const agent_id = await createAgent(service);
  const { body } = await service.request('POST', '/api/sessions/', {
    body: { user_id: USER, room_name: 'talks', agent_id },
  });
  const join = () => sandbox.createRoom({ room_name: 'talks', agent_metadata: '{}' });
  await join();
  await service.app.reconcile();
  return {
    clock,
    media,
    service,
    join,
    leave: () => sandbox.closeRoom('talks'),
    status: async () => (await service.request('GET', `/api/sessions/${body.id}`)).body.status,
    /** The next round is anybody's. */
    freeLease: () => service.database.db.deleteFrom('leases').execute(),
  };
}

test('a room that is missing before and after an outage of the media server gets its time to come back', async () => {
  const { clock, service, leave, status } = await talking();
  await leave();
  await service.app.reconcile();
  const { listRooms } = service.media;
  service.media.listRooms = () => Promise.reject(new Error('away'));
  clock.advance(60_000);
  await service.app.reconcile();
  service.media.listRooms = listRooms;
  await service.app.reconcile();
  assert.equal(await status(), 'ACTIVE');
  clock.advance(6_000);
  await service.app.reconcile();
  assert.equal(await status(), 'COMPLETED');
  await service.close();
});

test('a replica that cannot reach the media server leaves the rounds to one that can', async () => {
  const { clock, service, media, leave, status } = await talking();
  const other = await startService({ clock, database: service.database, media: { ...media } });
  await leave();
  media.listRooms = () => Promise.reject(new Error('away'));
  for (const replica of [service, other, service, other]) {
    await replica.app.reconcile();
    clock.advance(6_000);
  }
  assert.equal(await status(), 'COMPLETED');
  await other.close();
  await service.close();
});

test('what a replica missed before another one reconciled does not count when its turn comes again', async () => {
  const { clock, service, media, leave, join, status, freeLease } = await talking();
  const other = await startService({ clock, database: service.database, media: { ...media } });
  await leave();
  await service.app.reconcile();
  await join();
  await freeLease();
  await other.app.reconcile();
  await service.app.reconcile();
  clock.advance(60_000);
  await leave();
  await freeLease();
  await service.app.reconcile();
  assert.equal(await status(), 'ACTIVE');
  clock.advance(6_000);
  await service.app.reconcile();
  assert.equal(await status(), 'COMPLETED');
  await other.close();
  await service.close();
});

test('rounds without an answer count as consecutive only if no other replica reconciled in between', async () => {
  const { clock, service, media, status, freeLease } = await talking();
  const other = await startService({ clock, database: service.database, media: { ...media } });
  const rounds = async (count: number) => {
    for (let round = 0; round < count; round++) await service.app.reconcile();
  };
  service.media.isHosted = async () => false;
  await rounds(2);
  await freeLease();
  await other.app.reconcile();
  await rounds(1);
  await freeLease();
  await rounds(2);
  assert.equal(await status(), 'ACTIVE');
  await rounds(1);
  assert.equal(await status(), 'COMPLETED');
  await other.close();
  await service.close();
});

test('the target of a warm transfer may reconnect; one that does not has left', async () => {
  const clock = createTestClock();
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const service = await startService({ clock, media: { ...sandbox, subscribe: () => {} } });
  const { call_id, room_name } = await answeredCall(service);
  const body = { phone_number: '+15005550101', type: 'WARM' };
  await service.request('POST', `/api/sessions/${call_id}/transfer`, { body });
  const transfer = async () => (await service.request('GET', `/api/calls/${call_id}`)).body.transfers[0];
  await eventually(transfer, ({ status }) => status === 'connected');
  const { listParticipants } = sandbox;
  let isThere = false;
  service.media.listParticipants = async (room) =>
    (await listParticipants(room)).filter(({ identity }) => isThere || !identity.startsWith('transfer-'));
  const seen = async (seconds: number) => {
    clock.advance(seconds * 1000);
    await service.app.reconcile();
    return (await transfer()).status;
  };
  isThere = true;
  assert.equal(await seen(0), 'connected');
  for (const times of [1, 2]) {
    isThere = false;
    assert.equal(await seen(60), 'connected', `reconnecting, ${times}`);
    isThere = true;
    assert.equal(await seen(1), 'connected');
  }
  isThere = false;
  assert.equal(await seen(0), 'connected');
  assert.equal(await seen(6), 'failed');
  assert.equal((await transfer()).reason, 'hangup');
  await reaches(service, call_id, 'ANSWERED');
  assert.ok((await listParticipants(room_name)).length > 0);
  await service.close();
});

test('a call that ends after the rooms were listed is not looked into', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const service = await startService({ media: { ...sandbox } });
  const { call_id, room_name } = await answeredCall(service);
  service.media.isHosted = async () => true;
  const asked: string[] = [];
  service.media.listRooms = async () => {
    assert.equal((await service.request('POST', `/api/calls/${call_id}/end`)).status, 200);
    service.media.listParticipants = async (room) => {
      asked.push(room);
      return sandbox.listParticipants(room);
    };
    return new Map([[room_name, { people: 0 }]]);
  };
  await service.app.reconcile();
  assert.deepEqual(asked, []);
  await service.close();
});
