import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, placeCall, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const LIMITS = { CALLS_CONCURRENT: '100', CALLS_PER_SECOND: '100', CALLS_BURST: '100' };

/** A service that hears of nothing: every webhook is lost. */
async function startDeaf(env: Record<string, string> = {}) {
  const clock = createTestClock();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const service = await startService({ clock, media: { ...media, subscribe: () => {} }, env: { ...LIMITS, ...env } });
  return { clock, service, media };
}

/** The call as the API shows it right now: a round has settled everything once it is over. */
async function detail(service: Pick<Service, 'request'>, call_id: string) {
  return (await service.request('GET', `/api/calls/${call_id}`)).body;
}

test('a call whose media server has died ends once that is certain, although its room is still listed', async () => {
  const { service, media } = await startDeaf();
  const call = await answeredCall(service);
  media.abandon(call.room_name);
  for (let round = 0; round < 2; round++) {
    await service.app.reconcile();
    assert.equal(
      (await detail(service, call.call_id)).call_status,
      'ANSWERED',
      'one request without an answer is no proof',
    );
  }
  await service.app.reconcile();
  const { call_status, end_reason } = await detail(service, call.call_id);
  assert.deepEqual([call_status, end_reason], ['COMPLETED', 'room_ended']);
  assert.ok(!(await media.listRooms()).has(call.room_name));
  await service.close();
});

test('a room that responds again is kept, and all rooms that lost their server end', async () => {
  const { service, media } = await startDeaf();
  const calls = [];
  for (let count = 0; count < 25; count++) calls.push(await answeredCall(service));
  const [busy, ...dead] = calls;
  assert.ok(busy);
  let answers = 0;
  service.media.isHosted = async (room) => (room === busy.room_name ? ++answers % 3 === 0 : media.isHosted(room));
  for (const { room_name } of dead) media.abandon(room_name);
  for (let round = 0; round < 8; round++) await service.app.reconcile();
  for (const { call_id } of dead) assert.equal((await detail(service, call_id)).call_status, 'COMPLETED');
  assert.equal((await detail(service, busy.call_id)).call_status, 'ANSWERED');
  await service.close();
});

test('rooms are checked concurrently: each takes seconds where no server responds', async () => {
  const { service } = await startDeaf();
  const calls = [await answeredCall(service), await answeredCall(service), await answeredCall(service)];
  const asked = Promise.withResolvers<boolean>();
  let count = 0;
  service.media.isHosted = () => {
    if (++count === calls.length) asked.resolve(true);
    return asked.promise;
  };
  const round = service.app.reconcile();
  await eventually(
    async () => count,
    (all) => all === calls.length,
  );
  await round;
  await service.close();
});

test('a room without a responding server, or that fails otherwise, delays no other call', async () => {
  const { clock, service, media } = await startDeaf();
  const [dead, failing, ended] = [
    await answeredCall(service),
    await answeredCall(service),
    await answeredCall(service),
  ];
  media.abandon(dead.room_name);
  service.media.listParticipants = async (room) =>
    room === failing.room_name ? Promise.reject(new Error('it fails')) : media.listParticipants(room);
  media.hangUp(ended.room_name, 'phone');
  await service.app.reconcile();
  clock.advance(6_000);
  await service.app.reconcile();
  const states = await Promise.all([dead, failing, ended].map(({ call_id }) => detail(service, call_id)));
  assert.deepEqual(
    states.map(({ call_status }) => call_status),
    ['ANSWERED', 'ANSWERED', 'COMPLETED'],
  );
  assert.ok(service.logged().some((line) => line.includes('it fails')));
  await service.close();
});

test('a phone that is listed but no longer counted died with its server, even if others have reconnected', async () => {
  const { clock, service, media } = await startDeaf();
  const call = await answeredCall(service);
  let people = 0;
  service.media.listRooms = async () =>
    new Map([...(await media.listRooms()).keys()].map((room) => [room, { people }]));
  service.media.isConnected = async () => false;
  const rounds = async (...seconds: number[]) => {
    for (const second of seconds) {
      clock.advance(second * 1000);
      await service.app.reconcile();
    }
    return (await detail(service, call.call_id)).call_status;
  };
  assert.equal(await rounds(0, 19), 'ANSWERED', 'the count is some seconds old');
  people = 1;
  assert.equal(await rounds(19), 'ANSWERED');
  people = 0;
  assert.equal(await rounds(0, 19), 'ANSWERED', 'it was counted in between');
  assert.equal(await rounds(2), 'FAILED');
  assert.equal((await detail(service, call.call_id)).end_reason, 'media_lost');
  await service.close();
});

test('a phone that a server has goes on, however long the media server counts nobody', async () => {
  const { clock, service, media } = await startDeaf();
  const { call_id, room_name } = await answeredCall(service);
  service.media.listRooms = async () =>
    new Map([...(await media.listRooms()).keys()].map((room) => [room, { people: 0 }]));
  const asked: string[] = [];
  service.media.isConnected = async (room, identity) => {
    asked.push(identity);
    return media.isConnected(room, identity);
  };
  for (let round = 0; round < 14; round++) {
    clock.advance(4_000);
    await service.app.reconcile();
  }
  assert.equal((await detail(service, call_id)).call_status, 'ANSWERED');
  assert.deepEqual(asked, ['phone', 'phone'], 'asked after twenty seconds each');
  media.hangUp(room_name, 'phone');
  for (let round = 0; round < 3; round++) {
    clock.advance(4_000);
    await service.app.reconcile();
  }
  assert.equal((await detail(service, call_id)).end_reason, 'hangup');
  await service.close();
});

test('a phone ringing when both its media server and its dialing process died was never answered', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 60_000 });
  const dials = await startService({ media: sandbox });
  const { call_id, room_name } = await placeCall(dials, '+15005550100');
  await eventually(
    () => sandbox.listParticipants(room_name),
    (all) => all.some(({ phone }) => phone?.state === 'ringing'),
  );
  sandbox.abandon(room_name);
  const next = await startService({ database: dials.database, media: { ...sandbox, subscribe: () => {} } });
  await dials.database.db.deleteFrom('leases').execute();
  for (let round = 0; round < 3; round++) await next.app.reconcile();
  const { call_status, end_reason } = await detail(next, call_id);
  assert.deepEqual([call_status, end_reason], ['FAILED', 'interrupted']);
  await next.close();
  await dials.close();
});

test('closing a room is retried with growing pauses, delays no other room, and is counted in the metrics', async () => {
  const { clock, service, media } = await startDeaf();
  const [stuck, other] = [await answeredCall(service), await answeredCall(service)];
  const tries: string[] = [];
  service.media.closeRoom = async (room) => {
    if (room !== stuck.room_name) return media.closeRoom(room);
    tries.push(room);
    throw new ProviderError('provider_unavailable', { provider: 'sandbox', operation: 'closeRoom', retryable: true });
  };
  for (const { call_id } of [stuck, other]) await service.request('POST', `/api/calls/${call_id}/end`);
  tries.length = 0;
  const start = clock.now().getTime();
  const retried: number[] = [];
  for (const second of [0, 4, 5, 14, 15, 34, 35, 60]) {
    clock.set(new Date(start + second * 1000).toISOString());
    await service.app.reconcile();
    retried.push(tries.length);
  }
  assert.deepEqual([...(await media.listRooms()).keys()], [stuck.room_name]);
  assert.deepEqual(retried, [1, 1, 2, 2, 3, 3, 4, 4]);
  const gauge = async () =>
    (await service.request('GET', '/metrics')).body.match(/^media_rooms_not_closed (\d+)$/m)?.[1];
  assert.equal(await gauge(), '1');
  // Another replica takes over: it closes the rooms, and says how many it could not.
  const replica = await startService({ clock, database: service.database, media: { ...service.media } });
  const freeLease = () => service.database.db.deleteFrom('leases').execute();
  await freeLease();
  await replica.app.reconcile();
  await service.app.reconcile();
  assert.equal(await gauge(), '0');
  await freeLease();
  await replica.close();
  service.media.closeRoom = media.closeRoom;
  clock.advance(300_000);
  await service.app.reconcile();
  assert.equal((await media.listRooms()).size, 0);
  assert.equal(await gauge(), '0');
  await service.close();
});

test('a conversation whose room is gone ends although its last event was lost; one whose room was never seen ends after a day', async () => {
  const { clock, service, media } = await startDeaf();
  const open = async (room_name: string) =>
    (await service.request('POST', '/api/sessions/', { body: { user_id: USER, room_name } })).body.id;
  const status = async (id: string) => (await service.request('GET', `/api/sessions/${id}`)).body.status;
  const [talks, silent, abandoned] = [await open('talks'), await open('silent'), await open('abandoned')];
  for (const room_name of ['talks', 'abandoned']) await media.createRoom({ room_name, agent_metadata: '{}' });
  await service.app.reconcile();
  await media.closeRoom('talks');
  media.abandon('abandoned');
  await service.app.reconcile();
  assert.equal(await status(talks), 'ACTIVE', 'a room may be gone for a moment');
  clock.advance(6_000);
  await service.app.reconcile();
  assert.equal(await status(talks), 'COMPLETED');
  for (let round = 0; round < 3; round++) await service.app.reconcile();
  assert.equal(await status(abandoned), 'COMPLETED');
  clock.advance(23 * 3_600_000);
  for (let round = 0; round < 2; round++) await service.app.reconcile();
  assert.equal(await status(silent), 'ACTIVE');
  const [late, young] = [await open('late'), await open('young')];
  clock.advance(3_600_000);
  await service.app.reconcile();
  clock.advance(6_000);
  await media.createRoom({ room_name: 'late', agent_metadata: '{}' });
  await service.app.reconcile();
  assert.equal(await status(silent), 'COMPLETED');
  clock.advance(23 * 3_600_000 + 1);
  await service.app.reconcile();
  clock.advance(6_000);
  await service.app.reconcile();
  assert.deepEqual([await status(late), await status(young)], ['ACTIVE', 'COMPLETED']);
  await service.close();
});

test('a conversation that had one event ends with its room, also after a restart', async () => {
  const { clock, service } = await startDeaf();
  const { body } = await service.request('POST', '/api/sessions/', { body: { user_id: USER, room_name: 'once' } });
  const event = {
    event: 'participant_left',
    id: 'EV_once',
    room: { name: 'once' },
    participant: { sid: 'PA_1', identity: 'web-1' },
  };
  await service.request('POST', '/api/media/webhook', { body: event });
  await eventually(
    () => service.database.db.selectFrom('sessions').select('room_seen_at').execute(),
    (rows) => rows.every(({ room_seen_at }) => room_seen_at !== null),
  );
  const next = await startService({ database: service.database, clock });
  await service.database.db.deleteFrom('leases').execute();
  await next.app.reconcile();
  clock.advance(6_000);
  await next.app.reconcile();
  assert.equal((await next.request('GET', `/api/sessions/${body.id}`)).body.status, 'COMPLETED');
  await next.close();
  await service.close();
});
