import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import type { Participant } from '../../src/providers/rooms.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

/** A service that hears of nothing: every webhook is lost. */
async function deafService(ringMs = 1) {
  const clock = createTestClock();
  const media = createSandboxMedia({ clock: systemClock, ringMs });
  const service = await startService({ clock, media: { ...media, subscribe: () => {} } });
  return { clock, service, media };
}

const { clock, service, media } = await deafService();
const nobody = { sid: null, joined_at: null, phone: null, agent_name: null, audio_at: null };

test('a hang-up whose event was lost completes the call', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await media.removeParticipant(room_name, 'phone');
  await service.app.reconcile();
  assert.equal((await service.request('GET', `/api/calls/${call_id}/status`)).body.call_status, 'ANSWERED');
  clock.advance(6_000);
  await service.app.reconcile();
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
  assert.ok(!(await media.listRooms()).has(room_name));
});

test('a missing room is waited for briefly, and then completes the call', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await media.closeRoom(room_name);
  await service.app.reconcile();
  assert.equal((await service.request('GET', `/api/calls/${call_id}/status`)).body.call_status, 'ANSWERED');
  clock.advance(6_000);
  await service.app.reconcile();
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'room_ended');
});

test('an agent whose leaving event was lost ends the call', async () => {
  const { call_id, room_name } = await answeredCall(service);
  clock.advance(21_000);
  await service.app.reconcile(); // Sees the agent.
  await media.removeParticipant(room_name, 'agent');
  await service.app.reconcile();
  clock.advance(6_000);
  await service.app.reconcile();
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
});

test('a caller without an agent is hung up rather than left in silence', async () => {
  const { call_id, room_name } = await placeCall(service, '+15005550100', {
    metadata: { sandbox: 'agent_never_joins' },
  });
  await reaches(service, call_id, 'ANSWERED');
  await service.app.reconcile();
  assert.equal((await service.request('GET', `/api/calls/${call_id}/status`)).body.call_status, 'ANSWERED');
  clock.advance(21_000);
  await service.app.reconcile();
  assert.equal((await reaches(service, call_id, 'FAILED')).end_reason, 'agent_never_joined');
  assert.ok(!(await media.listRooms()).has(room_name));
});

test('a call over its maximum duration is hung up', async () => {
  const { call_id, room_name } = await answeredCall(service);
  clock.advance(7_201_000);
  await service.app.reconcile();
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'max_duration');
  assert.ok(!(await media.listRooms()).has(room_name));
});

test('a room that outlived its call is closed', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await service.request('POST', `/api/calls/${call_id}/end`);
  await media.createRoom({ room_name, agent_metadata: '{}' });
  await service.app.reconcile();
  assert.ok(!(await media.listRooms()).has(room_name));
});

test('a call whose dialing process died follows its phone: answered if that is answered, failed if it is gone', async () => {
  const database = await openTestDatabase();
  const shared = createSandboxMedia({ clock: systemClock, ringMs: 60_000 });
  const died = await startService({
    database,
    media: { ...shared, close: async () => {} },
    env: { SHUTDOWN_TIMEOUT_MS: '100' },
  });
  const [answers, vanishes] = [await placeCall(died, '+15005550100'), await placeCall(died, '+15005550100')];
  const laterClock = createTestClock();
  const phones = new Set([answers.room_name]);
  const seen = {
    ...shared,
    dial: () => assert.fail('a call was dialled twice'),
    listParticipants: async (room: string): Promise<Participant[]> =>
      phones.has(room)
        ? [
            { ...nobody, identity: 'agent', kind: 'AGENT' },
            {
              ...nobody,
              identity: 'phone',
              kind: 'SIP',
              phone: {
                state: 'active',
                number: null,
                our_number: null,
                trunk_id: null,
                caller_id: null,
                sip_call_id: null,
                bridge_call_id: null,
                headers: {},
                carrier_call_sid: null,
              },
            },
          ]
        : [],
  };
  const next = await startService({ database, media: seen, clock: laterClock });
  laterClock.advance(40_000); // The dead process's lease on reconciling runs out on the database's clock; take it at once here.
  await database.db.deleteFrom('leases').execute();
  await next.app.reconcile();
  assert.equal((await reaches(next, answers.call_id, 'ANSWERED')).status, 'ACTIVE');
  assert.equal((await next.request('GET', `/api/calls/${vanishes.call_id}/status`)).body.call_status, 'RINGING');
  laterClock.advance(6_000);
  await next.app.reconcile();
  assert.equal((await reaches(next, vanishes.call_id, 'FAILED')).end_reason, 'interrupted');
  await next.close();
  await shared.close();
  await died.close();
  await database.close();
});

test('one replica reconciles at a time', async () => {
  const counting = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const asked: string[] = [];
  const replica = (name: string) =>
    startService({
      database: service.database,
      media: {
        ...counting,
        listRooms: () => {
          asked.push(name);
          return counting.listRooms();
        },
      },
    });
  await service.database.db.deleteFrom('leases').execute();
  const first = await replica('first');
  await first.app.reconcile();
  const second = await replica('second');
  await second.app.reconcile();
  await first.app.reconcile();
  assert.deepEqual([...new Set(asked)], ['first']);
  await first.close();
  await second.close();
});

test('an inbound call accepted during a round is not hung up by that round', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const busy = await startService({ media: sandbox });
  const agent_id = await createAgent(busy);
  await busy.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: '+15005550010' } });
  await busy.database.db.deleteFrom('leases').execute();
  const list = sandbox.listRooms;
  let room = '';
  sandbox.listRooms = async () => {
    room = sandbox.callIn('+15005550010', '+15005550199') ?? assert.fail();
    await eventually(
      () => busy.request('GET', `/api/sessions/by-room/${room}`),
      ({ body }) => body.call_status === 'ANSWERED',
    );
    return list();
  };
  await busy.app.reconcile();
  const { body } = await busy.request('GET', `/api/sessions/by-room/${room}`);
  assert.equal(body.call_status, 'ANSWERED');
  assert.ok((await list()).has(room));
  await busy.close();
});

test('a failure that repeats in every round is logged once, and again when it changes', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const failing = await startService({ media: sandbox });
  const away = (provider_code: string) =>
    new ProviderError('provider_refused', { provider: 'sandbox', operation: 'x', retryable: false, provider_code });
  const said = () => failing.logged().filter((line) => line.includes('maintenance task')).length;
  const rounds = async (listRooms: typeof sandbox.listRooms) => {
    sandbox.listRooms = listRooms;
    await failing.database.db.deleteFrom('leases').execute();
    for (let round = 0; round < 3; round++) await failing.app.reconcile();
  };
  const { listRooms } = sandbox;
  await failing.app.reconcile();
  assert.equal(said(), 0);
  await rounds(() => Promise.reject(away('no sip')));
  assert.equal(said(), 1);
  await rounds(() => Promise.reject(away('no credentials')));
  assert.equal(said(), 2);
  await rounds(listRooms);
  assert.equal(said(), 3, 'it says that it succeeds again');
  await failing.close();
});

test('a media server without a SIP bridge is logged once, not in every round, and counted as a failure', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const no = new ProviderError('provider_refused', {
    provider: 'livekit',
    operation: 'setInboundNumbers',
    retryable: false,
  });
  sandbox.setInboundNumbers = () => Promise.reject(no);
  const service = await startService({ media: sandbox });
  const errors = () => service.logged().filter((line) => line.includes('"level":50'));
  for (let round = 0; round < 4; round++) await service.app.reconcile();
  assert.equal(errors().length, 1, errors().join(''));
  const { body } = await service.request('GET', '/metrics');
  assert.match(body, /upkeep_rounds_total{task="numbers",outcome="failed"} [4-9]/);
  await service.close();
});

test('what fails in every round does so without a line for each', async () => {
  const service = await startService();
  const call = await answeredCall(service);
  service.media.listParticipants = () => Promise.reject(new Error('away'));
  const received_at = new Date(Date.now() - 60_000);
  const rows = Array.from({ length: 5 }, (_, index) => {
    const event = { event: 'room_finished', id: `EV_${index}`, room: { name: call.room_name } };
    return { id: event.id, body: JSON.stringify(event), received_at };
  });
  await service.database.db.insertInto('media_events').values(rows).execute();
  for (let round = 0; round < 4; round++) await service.app.reconcile();
  const failed = service.logged().filter((line) => line.includes('"level":50') && line.includes('media_events'));
  assert.equal(failed.length, 1, failed.join(''));
  await service.close();
});

test('a round that is left to another replica counts as skipped; one that fails leaves the next to another', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const leader = await startService({ media: sandbox });
  const idle = await startService({ database: leader.database });
  const rounds = async (of: typeof leader, outcome: string) => {
    const { body } = await of.request('GET', '/metrics');
    return new RegExp(`^upkeep_rounds_total{task="calls",outcome="${outcome}"} (\\d+)$`, 'm').exec(body)?.[1];
  };
  // A query for tasks of which no round is done must find them.
  for (const service of [leader, idle]) assert.equal(await rounds(service, 'done'), '0');
  for (const service of [leader, idle]) await service.app.reconcile();
  assert.deepEqual([await rounds(leader, 'failed'), await rounds(leader, 'done')], [undefined, '1']);
  assert.deepEqual([await rounds(idle, 'skipped'), await rounds(idle, 'done')], ['1', '0']);
  sandbox.listRooms = () => Promise.reject(new Error('away'));
  for (const service of [leader, idle]) await service.app.reconcile();
  assert.deepEqual([await rounds(leader, 'failed'), await rounds(leader, 'done')], ['1', '1']);
  assert.deepEqual([await rounds(idle, 'skipped'), await rounds(idle, 'done')], ['1', '1']);
  await idle.close();
  await leader.close();
});
