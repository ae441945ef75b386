import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const service = await startService();

test('a call rings, is answered, and both states move together', async () => {
  const { call_id, room_name } = await placeCall(service, '+15005550100');
  assert.match(room_name, /^call-/);
  const call = await reaches(service, call_id, 'ANSWERED');
  assert.equal(call.status, 'ACTIVE');
  assert.equal(call.outbound_phone_number, '+15005550100');
  assert.equal(call.call_direction, 'OUTBOUND');
  assert.ok(call.started_at);
  assert.deepEqual(
    call.timeline.map((entry: { call_status: string }) => entry.call_status),
    ['RINGING', 'ANSWERED'],
  );
});

for (const [phone, expected] of Object.entries({
  '+15005550001': { status: 'FAILED', call_status: 'FAILED', end_reason: 'busy', sip_status_code: 486 },
  '+15005550002': { status: 'FAILED', call_status: 'NO_ANSWER', end_reason: 'no_answer', sip_status_code: null },
  '+15005550003': { status: 'FAILED', call_status: 'FAILED', end_reason: 'declined', sip_status_code: 603 },
  '+15005550004': { status: 'FAILED', call_status: 'FAILED', end_reason: 'trunk_failure', sip_status_code: 503 },
})) {
  test(`a call to ${phone} ends as ${expected.end_reason}, with duration 0 and its room closed`, async () => {
    const { call_id, room_name } = await placeCall(service, phone);
    const call = await reaches(service, call_id, expected.call_status);
    const { status, call_status, end_reason, sip_status_code } = call;
    assert.deepEqual({ status, call_status, end_reason, sip_status_code }, expected);
    assert.equal(call.duration, 0);
    assert.equal(call.started_at, null);
    assert.ok(call.ended_at);
    await eventually(
      () => service.media.listRooms(),
      (rooms) => !rooms.has(room_name),
    );
  });
}

test('a callee’s hang-up completes the call with the time between answer and hang-up', async () => {
  const { call_id, room_name } = await placeCall(service, '+15005550005');
  const call = await reaches(service, call_id, 'COMPLETED');
  assert.equal(call.status, 'COMPLETED');
  assert.equal(call.end_reason, 'hangup');
  assert.equal(call.duration, (Date.parse(call.ended_at) - Date.parse(call.started_at)) / 1000);
  assert.ok(call.duration >= 0.9, String(call.duration));
  await eventually(
    () => service.media.listRooms(),
    (rooms) => !rooms.has(room_name),
  );
});

test('ending a ringing call cancels it, and it is never answered', async () => {
  const slow = await startService({ env: { SANDBOX_RING_MS: '60000' } });
  const { call_id } = await placeCall(slow, '+15005550100');
  const { status, body } = await slow.request('POST', `/api/calls/${call_id}/end`);
  assert.equal(status, 200);
  assert.deepEqual([body.status, body.call_status, body.duration], ['COMPLETED', 'COMPLETED', 0]);
  const call = await reaches(slow, call_id, 'COMPLETED');
  assert.equal(call.end_reason, 'canceled');
  await slow.close();
});

test('ending an answered call hangs up; ending it again changes nothing', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const first = await service.request('POST', `/api/calls/${call_id}/end`);
  assert.equal(first.body.call_status, 'COMPLETED');
  const again = await service.request('POST', `/api/calls/${call_id}/end`);
  assert.deepEqual(again.body, first.body);
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'ended_by_user');
  assert.ok(!(await service.media.listRooms()).has(room_name));
});

test('a worker that patches ended_at ends the call and hangs up', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const { status, body } = await service.request('PATCH', `/api/sessions/${call_id}`, {
    body: { ended_at: new Date().toISOString() },
  });
  assert.equal(status, 200);
  assert.deepEqual([body.status, body.call_status], ['COMPLETED', 'COMPLETED']);
  assert.ok(!(await service.media.listRooms()).has(room_name));
});

test('the status of a call shows exactly its nine fields', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const { body } = await service.request('GET', `/api/calls/${call_id}/status`);
  const { started_at, ...rest } = body;
  assert.ok(started_at);
  assert.deepEqual(rest, {
    call_id,
    room_name,
    status: 'ACTIVE',
    call_status: 'ANSWERED',
    call_direction: 'OUTBOUND',
    outbound_phone_number: '+15005550100',
    ended_at: null,
    duration: null,
  });
});

test('a call without x-user-id, or with a bad body, is a 422 that names every problem', async () => {
  const { status, body } = await service.request('POST', '/api/calls/outbound', {
    body: { phone_number: '5550100', callback_url: 'ftp://x' },
  });
  assert.equal(status, 422);
  assert.deepEqual(
    body.detail.map((problem: { loc: string[]; type: string }) => [problem.loc.join('.'), problem.type]),
    [
      ['header.x-user-id', 'missing'],
      ['body.agent_id', 'missing'],
      ['body.phone_number', 'string_pattern_mismatch'],
      ['body.callback_url', 'url_parsing'],
    ],
  );
});

test('a call with an unknown, malformed or another user’s agent is the same 404', async () => {
  const foreign = await createAgent(service, { user_id: 'somebody-else' });
  const answers = [];
  for (const agent_id of ['01980000-0000-7000-8000-000000000000', 'nonsense', foreign]) {
    const { status, body } = await service.request('POST', '/api/calls/outbound', {
      user: USER,
      body: { agent_id, phone_number: '+15005550100' },
    });
    answers.push([status, body]);
  }
  assert.deepEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
  assert.equal(answers[0]?.[0], 404);
});

test('an inactive agent makes no calls', async () => {
  const agent_id = await createAgent(service, { is_active: false });
  const { status, body } = await service.request('POST', '/api/calls/outbound', {
    user: USER,
    body: { agent_id, phone_number: '+15005550100' },
  });
  assert.deepEqual([status, body.code], [409, 'agent_inactive']);
});

test('calls of another user, and sessions that are not calls, are not found', async () => {
  const { call_id } = await answeredCall(service);
  const session = await service.request('POST', '/api/sessions/', { body: { user_id: USER } });
  for (const [id, user] of [
    [call_id, 'somebody-else'],
    [session.body.id, USER],
    ['nonsense', USER],
  ] as const) {
    for (const [method, path] of [
      ['GET', `/api/calls/${id}/status`],
      ['GET', `/api/calls/${id}`],
      ['POST', `/api/calls/${id}/end`],
    ] as const) {
      assert.equal((await service.request(method, path, { user })).status, 404);
    }
  }
});

test('calls are listed newest first, page by page, only to their owner', async () => {
  const user = 'list-user';
  const agent_id = await createAgent(service, { user_id: user });
  const placed = [];
  for (let count = 0; count < 3; count++) {
    const { body } = await service.request('POST', '/api/calls/outbound', {
      user,
      body: { agent_id, phone_number: '+15005550001' },
    });
    placed.unshift(body.call_id);
  }
  const listed: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await service.request('GET', `/api/calls/?limit=2${cursor && `&cursor=${cursor}`}`, { user });
    listed.push(...body.items.map((item: { call_id: string }) => item.call_id));
    if (body.next_cursor === null) break;
    cursor = body.next_cursor;
  }
  assert.deepEqual(listed, placed);
});

test('a call whose room cannot be created fails at once, with the reason', async () => {
  const broken = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const createRoom = async () => {
    throw new ProviderError('provider_unavailable', { provider: 'sandbox', operation: 'createRoom', retryable: true });
  };
  const down = await startService({ media: { ...broken, createRoom } });
  const agent_id = await createAgent(down);
  const { status, body } = await down.request('POST', '/api/calls/outbound', {
    user: USER,
    body: { agent_id, phone_number: '+15005550100' },
  });
  assert.deepEqual([status, body.status], [201, 'FAILED']);
  assert.equal((await reaches(down, body.call_id, 'FAILED')).end_reason, 'provider_unavailable');
  await down.close();
});

test('a phone that answers after the call was ended is hung up', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  let pickUp = (): void => {};
  const dial = () =>
    new Promise<{ answered: true }>((resolve) => {
      pickUp = () => resolve({ answered: true });
    });
  const late = await startService({ media: { ...sandbox, dial } });
  const { call_id, room_name } = await placeCall(late, '+15005550100');
  await late.request('POST', `/api/calls/${call_id}/end`);
  await sandbox.createRoom({ room_name, agent_metadata: '{}' }); // As a provider does when a phone joins a room that is gone.
  pickUp();
  await eventually(
    () => sandbox.listRooms(),
    (rooms) => !rooms.has(room_name),
  );
  assert.equal((await late.request('GET', `/api/calls/${call_id}/status`)).body.call_status, 'COMPLETED');
  await late.close();
});

test('a call that is ended while its room is being created is never dialled', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  let made = (): void => {};
  const slow = await startService({
    media: {
      ...sandbox,
      createRoom: (room) =>
        new Promise<void>((resolve) => {
          made = resolve;
        }).then(() => sandbox.createRoom(room)),
      dial: () => assert.fail('dialled'),
    },
  });
  const agent_id = await createAgent(slow);
  const asked = slow.request('POST', '/api/calls/outbound', {
    user: USER,
    body: { agent_id, phone_number: '+15005550100' },
  });
  const listed = await eventually(
    () => slow.request('GET', '/api/calls/'),
    ({ body }) => body.items.length === 1,
  );
  const { call_id, room_name } = listed.body.items[0];
  await slow.request('POST', `/api/calls/${call_id}/end`);
  made();
  assert.deepEqual([(await asked).status, (await asked).body.status], [201, 'COMPLETED']);
  assert.ok(!(await sandbox.listRooms()).has(room_name));
  await slow.close();
});
