import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { answeredCall, createAgent, reaches, USER } from './support/calls.ts';
import { eventually, startService } from './support/service.ts';

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

const phone = (trunkPhoneNumber: string) => ({
  sid: 'PA_1',
  identity: 'sip_+15005550199',
  kind: 'SIP',
  attributes: {
    'sip.trunkPhoneNumber': trunkPhoneNumber,
    'sip.phoneNumber': '+15005550199',
    'sip.callStatus': 'active',
  },
});

function byRoom(room: string) {
  return service.request('GET', `/api/sessions/by-room/${room}`);
}

test('an inbound call to an assigned number makes a session of its agent, and goes through its states', async () => {
  const agent_id = await createAgent(service);
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: '+15005550010' } });
  await deliver(event('participant_joined', 'inbound-1', phone('+15005550010')));
  const { body } = await eventually(
    () => byRoom('inbound-1'),
    ({ status }) => status === 200,
  );
  assert.deepEqual(
    [body.call_direction, body.call_status, body.status, body.agent_id, body.user_id, body.outbound_phone_number],
    ['INBOUND', 'RINGING', 'CREATED', agent_id, USER, null],
  );
  await deliver(event('track_published', 'inbound-1', { identity: 'agent', kind: 'AGENT' }));
  const call = await reaches(service, body.id, 'ANSWERED');
  assert.equal(call.caller_number, '+15005550199');
  await deliver(
    event('participant_left', 'inbound-1', { ...phone('+15005550010'), disconnectReason: 'CLIENT_INITIATED' }),
  );
  assert.equal((await reaches(service, body.id, 'COMPLETED')).end_reason, 'hangup');
});

test('an inbound call to a number that nobody has is turned away and leaves no session', async () => {
  await service.media.createRoom({ room_name: 'inbound-2', agent_metadata: '{}' });
  await deliver(event('participant_joined', 'inbound-2', phone('+15005550019')));
  await eventually(
    () => service.media.listRooms(),
    (rooms) => !rooms.has('inbound-2'),
  );
  assert.equal((await byRoom('inbound-2')).status, 404);
});

test('a second delivery of the same event changes nothing', async () => {
  const agent_id = await createAgent(service);
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: '+15005550011' } });
  const joined = event('participant_joined', 'inbound-3', phone('+15005550011'));
  await Promise.all(Array.from({ length: 10 }, () => deliver(joined)));
  const { body } = await eventually(
    () => byRoom('inbound-3'),
    ({ status }) => status === 200,
  );
  await deliver(joined);
  await service.app.reconcile();
  const { items } = (await service.request('GET', `/api/calls/?agent_id=${agent_id}`)).body;
  assert.deepEqual(
    items.map((item: { call_id: string }) => item.call_id),
    [body.id],
  );
  assert.equal((await reaches(service, body.id, 'RINGING')).timeline.length, 1);
});

test('media lost after the answer ends the call as FAILED', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await deliver(
    event('participant_left', room_name, { identity: 'phone', kind: 'SIP', disconnectReason: 'MEDIA_FAILURE' }),
  );
  const call = await reaches(service, call_id, 'FAILED');
  assert.deepEqual([call.status, call.end_reason], ['FAILED', 'media_lost']);
});

test('an agent that leaves the caller alone ends the call', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await service.media.removeParticipant(room_name, 'agent');
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
});

test('a room that ends closes the session of a conversation, and a late event does not reopen it', async () => {
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

test('events in the wrong order settle in the right state', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await service.media.closeRoom(room_name);
  await deliver(event('room_finished', room_name));
  await deliver(event('participant_joined', room_name, { identity: 'phone', kind: 'SIP' }));
  assert.equal((await reaches(service, call_id, 'COMPLETED')).timeline.length, 3);
});

test('an unknown kind of event, and one without any known field, is accepted', async () => {
  await deliver(event('hologram_started', 'nowhere'));
  await deliver({});
  await deliver({ event: 5, room: 'x', participant: [], id: {} });
  await deliver({ event: '\0', id: 'x'.repeat(10_000), room: { name: '\ud800' } });
});

test('what is no JSON object is a 422, and other content is a 415', async () => {
  for (const body of ['[]', '"x"', 'null', '{', '']) {
    assert.equal((await service.request('POST', '/api/media/webhook', { body })).status, 422, body);
  }
  const text = await service.request('POST', '/api/media/webhook', {
    body: '{}',
    headers: { 'content-type': 'text/plain' },
  });
  assert.equal(text.status, 415);
});

test('an event that was stored by a process that died is acted on by the next', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const left = event('participant_left', room_name, { identity: 'phone', kind: 'SIP' });
  const received_at = new Date(Date.now() - 60_000);
  await service.database.db
    .insertInto('media_events')
    .values({ id: left.id, body: JSON.stringify(left), received_at })
    .execute();
  await service.app.reconcile();
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
  const unhandled = await service.database.db
    .selectFrom('media_events')
    .select('id')
    .where('handled_at', 'is', null)
    .execute();
  assert.deepEqual(unhandled, []);
});
