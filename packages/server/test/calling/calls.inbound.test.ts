import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Media } from '../../src/providers/media.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const NUMBER = '+15005550010';

async function startWithNumber() {
  const clock = createTestClock();
  const service = await startService({ clock });
  const agent_id = await createAgent(service);
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: NUMBER } });
  return { service, clock };
}

const rooms = async ({ media }: Service) => [...(await media.listRooms()).keys()];

/** Waits until the service has taken the call in this room, or turned it away. */
async function settled(service: Service, room_name: string) {
  return eventually(
    async () => ({
      isOpen: (await rooms(service)).includes(room_name),
      call: (await service.request('GET', `/api/sessions/by-room/${room_name}`)).body,
    }),
    ({ isOpen, call }) => !isOpen || call.call_status === 'ANSWERED',
  );
}

async function sessionsOf(service: Service): Promise<number> {
  return (await service.request('GET', '/api/calls')).body.items.length;
}

test('repetitions of one SIP call are one session, however often the bridge takes them for new calls', async () => {
  const { service, clock } = await startWithNumber();
  const call = () => service.media.callIn(NUMBER, '+15005550199', null, 'one@phone') ?? assert.fail();
  const first = call();
  assert.equal((await settled(service, first)).isOpen, true);
  for (const afterMs of [500, 1_000, 2_000, 4_000, 4_000, 4_000]) {
    clock.advance(afterMs);
    assert.equal((await settled(service, call())).isOpen, false);
  }
  assert.deepEqual(await rooms(service), [first]);
  assert.equal(await sessionsOf(service), 1);
  // Another reconciler round, or a second event, does not turn away the call itself.
  await service.app.reconcile();
  assert.deepEqual(await rooms(service), [first]);
  const other = service.media.callIn(NUMBER, '+15005550198', null, 'two@phone') ?? assert.fail();
  assert.equal((await settled(service, other)).isOpen, true);
  await service.close();
});

test('a repetition is recognized although the agent has begun 150 other calls since', async () => {
  const { service, clock } = await startWithNumber();
  const call = () => service.media.callIn(NUMBER, '+15005550199', null, 'one@phone') ?? assert.fail();
  const first = await settled(service, call());
  const { user_id, agent_id } = first.call;
  const dialled = Array.from({ length: 150 }, () => ({
    id: newId(),
    room_name: newId(),
    user_id,
    agent_id,
    status: 'ACTIVE' as const,
    call_direction: 'OUTBOUND' as const,
    call_status: 'ANSWERED' as const,
    session_data: '{}',
    created_at: clock.now(),
    updated_at: clock.now(),
  }));
  await service.database.db.insertInto('sessions').values(dialled).execute();
  clock.advance(500);
  assert.equal((await settled(service, call())).isOpen, false);
  const { items } = (await service.request('GET', '/api/calls?direction=INBOUND')).body;
  assert.equal(items.length, 1);
  await service.close();
});

test('one number may begin three calls to another in a second; the rest is turned away and not recorded', async () => {
  const { service, clock } = await startWithNumber();
  const call = (caller: string) => service.media.callIn(NUMBER, caller) ?? assert.fail();
  const taken = async (caller: string) => (await settled(service, call(caller))).isOpen;
  const first = [await taken('+15005550199'), await taken('+15005550199'), await taken('+15005550199')];
  assert.deepEqual([...first, await taken('+15005550199')], [true, true, true, false]);
  assert.equal(await taken('+15005550198'), true, 'another caller');
  for (let count = 0; count < 4; count++) assert.equal(await taken('anonymous'), true, 'people who withhold theirs');
  clock.advance(1_000);
  assert.equal(await taken('+15005550199'), true, 'a second later');
  assert.equal(await sessionsOf(service), 9);
  await service.close();
});

for (const [caller, caller_number] of [
  ['4795551234', '+14795551234'],
  ['(479) 555-1234', '+14795551234'],
  ['+4795551234', '+4795551234'],
  ['442079460000', '+442079460000'],
  ['anonymous', null],
  ['7001', null],
] as const) {
  test(`the caller id ${caller} of a call to an American number is kept, and is ${caller_number ?? 'no number'}`, async () => {
    const { service } = await startWithNumber();
    const room = service.media.callIn(NUMBER, caller) ?? assert.fail();
    const { call } = await settled(service, room);
    const { body } = await service.request('GET', `/api/calls/${call.id}`);
    assert.deepEqual([body.caller_id, body.caller_number, body.from_number], [caller, caller_number, caller_number]);
    const { items } = (await service.request('GET', '/api/calls')).body;
    assert.equal(items[0].caller_id, caller);
    await service.close();
  });
}

test('an agent that comes and goes while every event is lost ends the call as a hang-up', async () => {
  const clock = createTestClock();
  const sandbox = createSandboxMedia({ clock, ringMs: 1 });
  const deaf = await startService({ clock, media: { ...sandbox, subscribe: () => {} } });
  const agent_id = await createAgent(deaf);
  const { body } = await deaf.request('POST', '/api/calls/outbound', {
    user: 'user-1',
    body: { agent_id, phone_number: '+15005550100' },
  });
  const read = async () => (await deaf.request('GET', `/api/calls/${body.call_id}`)).body;
  await eventually(read, ({ call_status }) => call_status === 'ANSWERED');
  const { db } = deaf.database;
  await eventually(
    () => db.selectFrom('sessions').select('agent_joined_at').executeTakeFirstOrThrow(),
    ({ agent_joined_at }) => agent_joined_at !== null,
  );
  sandbox.hangUp(body.room_name, 'agent');
  await deaf.app.reconcile();
  clock.advance(6_000);
  await deaf.app.reconcile();
  const { call_status, end_reason } = await read();
  assert.deepEqual([call_status, end_reason], ['COMPLETED', 'hangup']);
  await deaf.close();
});

test('a caller who leaves before the event of the agent’s sound arrives has talked, and is billed', async () => {
  const clock = createTestClock();
  const sandbox = createSandboxMedia({ clock, ringMs: 1 });
  const subscribe: Media['subscribe'] = (deliver) =>
    sandbox.subscribe(async (body) => (body.includes('track_published') ? undefined : deliver(body)));
  const service = await startService({ clock, media: { ...sandbox, subscribe } });
  const agent_id = await createAgent(service);
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: NUMBER } });
  const caller = '+15005550199';
  const room = sandbox.callIn(NUMBER, caller) ?? assert.fail();
  await eventually(
    () => sandbox.listParticipants(room),
    (all) => all.some(({ kind }) => kind === 'AGENT'),
  );
  clock.advance(4_000);
  sandbox.hangUp(room, `sip_${caller}`);
  const read = async () => (await service.request('GET', `/api/sessions/by-room/${room}`)).body;
  const { id } = await eventually(read, ({ status }) => status === 'COMPLETED');
  const { call_status, end_reason, duration } = (await service.request('GET', `/api/calls/${id}`)).body;
  assert.deepEqual([call_status, end_reason], ['COMPLETED', 'hangup']);
  assert.ok(duration >= 3 && duration <= 5, `${duration} s`);
  const billed = await service.database.db
    .selectFrom('usage_events')
    .selectAll()
    .where('session_id', '=', id)
    .execute();
  assert.ok(billed.some(({ event_type }) => event_type === 'telephony_minutes'));
  await service.close();
});
