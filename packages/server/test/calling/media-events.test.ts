import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { answeredCall, createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const service = await startService();

function event(kind: string, room: string, participant?: object, id = `EV_${randomUUID()}`) {
  return {
    event: kind,
    id,
    createdAt: '1795212036',
    room: { sid: 'RM_1', name: room },
    ...(participant && { participant }),
  };
}

async function deliver(body: object): Promise<void> {
  const answer = await service.request('POST', '/api/media/webhook', {
    body,
    headers: { 'content-type': 'application/webhook+json' },
  });
  assert.deepEqual([answer.status, answer.body], [200, { status: 'ok' }]);
}

const CALLER = '+15005550199';

/** An agent with this number, and a phone that calls it: the room of the call. */
async function callIn(phone_number: string, agent: object = {}): Promise<{ agent_id: string; room: string }> {
  const agent_id = await createAgent(service, agent);
  const { status } = await service.request('POST', '/api/telephony/numbers/assign', {
    body: { agent_id, phone_number },
  });
  assert.equal(status, 200);
  return { agent_id, room: service.media.callIn(phone_number, CALLER) ?? assert.fail('not taken') };
}

function byRoom(room: string) {
  return service.request('GET', `/api/sessions/by-room/${room}`);
}

test('an inbound call to an assigned number creates a session for its agent, and goes through its states', async () => {
  const { agent_id, room } = await callIn('+15005550010');
  const { body } = await eventually(
    () => byRoom(room),
    ({ status }) => status === 200,
  );
  assert.deepEqual(
    [body.call_direction, body.agent_id, body.user_id, body.outbound_phone_number],
    ['INBOUND', agent_id, USER, null],
  );
  const call = await reaches(service, body.id, 'ANSWERED');
  assert.equal(call.caller_number, CALLER);
  assert.deepEqual(
    call.timeline.map((entry: { call_status: string }) => entry.call_status),
    ['RINGING', 'ANSWERED'],
  );
  await service.media.removeParticipant(room, `sip_${CALLER}`);
  assert.equal((await reaches(service, body.id, 'COMPLETED')).end_reason, 'hangup');
});

test('inbound calls to an unassigned number and to an inactive agent are rejected and leave no session', async () => {
  assert.equal(service.media.callIn('+15005550019', CALLER), null);
  const { room } = await callIn('+15005550012', { is_active: false });
  await eventually(
    () => service.media.listRooms(),
    (rooms) => !rooms.has(room),
  );
  assert.equal((await byRoom(room)).status, 404);
});

test('a released number no longer takes calls', async () => {
  const { agent_id } = await callIn('+15005550013');
  await service.request('POST', '/api/telephony/numbers/release', { body: { agent_id } });
  assert.equal(service.media.callIn('+15005550013', CALLER), null);
});

test('a second delivery of the same event changes nothing', async () => {
  const { agent_id, room } = await callIn('+15005550011');
  const { body } = await eventually(
    () => byRoom(room),
    ({ status }) => status === 200,
  );
  await reaches(service, body.id, 'ANSWERED');
  const joined = event('participant_joined', room, { identity: `sip_${CALLER}`, kind: 'SIP' });
  await Promise.all(Array.from({ length: 10 }, () => deliver(joined)));
  await service.app.reconcile();
  const { items } = (await service.request('GET', `/api/calls/?agent_id=${agent_id}`)).body;
  assert.deepEqual(
    items.map((item: { call_id: string }) => item.call_id),
    [body.id],
  );
  assert.equal((await reaches(service, body.id, 'ANSWERED')).timeline.length, 2);
  const stored = await service.database.db
    .selectFrom('media_events')
    .select('id')
    .where('id', '=', joined.id)
    .execute();
  assert.equal(stored.length, 1);
});

test('media lost after the answer ends the call as FAILED', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await deliver(
    event('participant_left', room_name, { identity: 'phone', kind: 'SIP', disconnectReason: 'MEDIA_FAILURE' }),
  );
  const call = await reaches(service, call_id, 'FAILED');
  assert.deepEqual([call.status, call.end_reason], ['FAILED', 'media_lost']);
});

test('the event says why a phone left, even after a reconciler round has missed the phone', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const late = await startService({ media: { ...sandbox, subscribe: () => {} } });
  const { call_id, room_name } = await answeredCall(late);
  await sandbox.removeParticipant(room_name, 'phone');
  await late.app.reconcile();
  const gone = { identity: 'phone', kind: 'SIP', disconnectReason: 'MEDIA_FAILURE' };
  await late.request('POST', '/api/media/webhook', { body: event('participant_left', room_name, gone) });
  assert.equal((await reaches(late, call_id, 'FAILED')).end_reason, 'media_lost');
  await late.close();
});

test('a call ends when its agent leaves', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await service.media.removeParticipant(room_name, 'agent');
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
});

test('the end of a room ends its session, and a late event does not reopen it', async () => {
  const { body } = await service.request('POST', '/api/sessions/', { body: { user_id: USER, room_name: 'web-1' } });
  await deliver(event('room_finished', 'web-1'));
  const ended = await eventually(
    () => byRoom('web-1'),
    (answer) => answer.body.status === 'COMPLETED',
  );
  assert.equal(ended.body.call_status, null);
  await deliver(event('participant_left', 'web-1', { identity: 'browser' }));
  assert.deepEqual((await service.request('GET', `/api/sessions/${body.id}`)).body, ended.body);
});

test('a late event about a former room ends no conversation that has begun again', async () => {
  await service.request('POST', '/api/sessions/', { body: { user_id: USER, room_name: 'web-2' } });
  await service.media.createRoom({ room_name: 'web-2', agent_metadata: '{}' });
  const late = event('room_finished', 'web-2');
  await deliver(late);
  await eventually(
    () => service.database.db.selectFrom('media_events').select('handled_at').where('id', '=', late.id).execute(),
    ([stored]) => stored !== undefined && stored.handled_at !== null,
  );
  assert.equal((await byRoom('web-2')).body.status, 'ACTIVE');
  assert.ok((await service.media.listRooms()).has('web-2'));
  await service.media.closeRoom('web-2');
  await eventually(
    () => byRoom('web-2'),
    ({ body }) => body.status === 'COMPLETED',
  );
});

test('out-of-order events lead to the right state', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await service.media.closeRoom(room_name);
  await deliver(event('room_finished', room_name));
  await deliver(event('participant_joined', room_name, { identity: 'phone', kind: 'SIP' }));
  assert.equal((await reaches(service, call_id, 'COMPLETED')).timeline.length, 3);
});

test('an unknown type of event, and one without known fields, is accepted', async () => {
  await deliver(event('hologram_started', 'nowhere'));
  await deliver({});
  await deliver({ event: 5, room: 'x', participant: [], id: {} });
  await deliver({ event: '\0', id: 'x'.repeat(10_000), room: { name: '\ud800' } });
});

test('a body that is not a JSON object is a 422, other content types are a 415', async () => {
  for (const body of ['[]', '"x"', 'null', '{', '']) {
    assert.equal((await service.request('POST', '/api/media/webhook', { body })).status, 422, body);
  }
  const text = await service.request('POST', '/api/media/webhook', {
    body: '{}',
    headers: { 'content-type': 'text/plain' },
  });
  assert.equal(text.status, 415);
});

test('an event stored by a process that died is handled by the next', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const left = event('participant_left', room_name, { identity: 'phone', kind: 'SIP' });
  const received_at = new Date(Date.now() - 60_000);
  await service.database.db
    .insertInto('media_events')
    .values({ id: left.id, body: JSON.stringify(left), received_at })
    .execute();
  await service.app.reconcile();
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
  const unhandled = () =>
    service.database.db.selectFrom('media_events').select('id').where('handled_at', 'is', null).execute();
  assert.ok(!(await unhandled()).some(({ id }) => id === left.id));
  // The room that was closed has sent events of its own.
  await eventually(unhandled, ({ length }) => length === 0);
});

test('the worker’s job has the caller’s and the called number', async () => {
  const dispatch = service.media.dispatchAgent;
  const jobs: Record<string, unknown>[] = [];
  service.media.dispatchAgent = (room) => {
    jobs.push(JSON.parse(room.agent_metadata));
    return dispatch(room);
  };
  const { room } = await callIn('+15005550013');
  await eventually(
    async () => jobs,
    ({ length }) => length === 1,
  );
  service.media.dispatchAgent = dispatch;
  const { room_name, direction, from_number, to_number } = jobs[0] ?? {};
  assert.deepEqual([room_name, direction, from_number, to_number], [room, 'INBOUND', CALLER, '+15005550013']);
});

test('a failed dispatch of the worker is retried', async () => {
  const dispatch = service.media.dispatchAgent;
  let tries = 0;
  service.media.dispatchAgent = (room) => (++tries === 1 ? Promise.reject(new Error('away')) : dispatch(room));
  const { room } = await callIn('+15005550014');
  const { body } = await eventually(
    () => byRoom(room),
    ({ status }) => status === 200,
  );
  await eventually(
    async () => tries,
    (count) => count === 1,
  );
  await service.app.reconcile();
  await reaches(service, body.id, 'ANSWERED');
  service.media.dispatchAgent = dispatch;
});

test('an event that cannot be handled does not delay later ones, and is given up eventually', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const broken = await answeredCall(service);
  const list = service.media.listParticipants;
  service.media.listParticipants = (room) =>
    room === broken.room_name ? Promise.reject(new Error('away')) : list(room);
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const stored = (room: string, received_at: Date) => {
    const left = event('participant_left', room, { identity: 'phone', kind: 'SIP' });
    return { id: left.id, body: JSON.stringify(left), received_at };
  };
  const rows = [stored(broken.room_name, at(20)), stored(broken.room_name, at(2)), stored(room_name, at(1))];
  await service.database.db.insertInto('media_events').values(rows).execute();
  await service.app.reconcile();
  await reaches(service, call_id, 'COMPLETED');
  const ids = rows.map(({ id }) => id);
  const unhandled = await service.database.db
    .selectFrom('media_events')
    .select('id')
    .where('handled_at', 'is', null)
    .where('id', 'in', ids)
    .execute();
  assert.deepEqual(unhandled, [{ id: ids[1] }]);
  service.media.listParticipants = list;
});

test('phones in rooms of other applications on the same media server are ignored', async () => {
  const room_name = `somebody-elses-${randomUUID()}`;
  await service.media.createRoom({ room_name, agent_metadata: '{}' });
  void service.media.dial(
    { room_name, identity: 'phone', phone_number: '+15005550100', ringing_timeout_s: 10, max_duration_s: 60 },
    new AbortController().signal,
  );
  const there = async () => (await service.media.listParticipants(room_name)).map(({ identity }) => identity);
  await eventually(there, (identities) => identities.includes('phone'));
  await deliver(event('participant_joined', room_name, { identity: 'phone', kind: 'SIP' }));
  await service.app.reconcile();
  assert.ok((await there()).includes('phone'));
  await service.media.closeRoom(room_name);
});

for (const [who, kind] of [
  ['a phone', 'SIP'],
  ['a worker', 'AGENT'],
] as const) {
  test(`${who} that joins after the call has ended recreates its room, and is removed`, async () => {
    const { call_id, room_name } = await answeredCall(service);
    await service.request('POST', `/api/calls/${call_id}/end`);
    await service.media.createRoom({ room_name, agent_metadata: '{}' });
    await deliver(event('participant_joined', room_name, { identity: 'late', kind }));
    await eventually(
      () => service.media.listRooms(),
      (rooms) => !rooms.has(room_name),
    );
  });
}
