import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';

const service = await startService();
const TARGET = '+15005550101';

function transfer(call_id: string, body: object = { phone_number: TARGET }) {
  return service.request('POST', `/api/sessions/${call_id}/transfer`, { body });
}

async function participants(room_name: string): Promise<string[]> {
  return (await service.media.listParticipants(room_name)).map(({ kind }) => kind).sort();
}

test('a cold transfer connects the caller to the target and completes the session as transferred', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const { status, body } = await transfer(call_id);
  assert.equal(status, 200);
  const { message, ...rest } = body;
  assert.equal(typeof message, 'string');
  assert.deepEqual(rest, { session_id: call_id, transfer_type: 'COLD', transferred_to: TARGET, status: 'completed' });
  const call = await reaches(service, call_id, 'COMPLETED');
  assert.equal(call.end_reason, 'transferred');
  assert.deepEqual(
    call.transfers.map(({ status, transfer_type }: Record<string, string>) => [status, transfer_type]),
    [['completed', 'COLD']],
  );
  const session = (await service.request('GET', `/api/sessions/${call_id}`)).body;
  assert.deepEqual([session.transferred_to, session.transfer_type], [TARGET, 'COLD']);
  assert.ok(session.transfer_timestamp);
  assert.ok(!(await service.media.listRooms()).has(room_name));
});

test('a cold transfer refused by the target leaves the call unchanged', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const { status, body } = await transfer(call_id, { phone_number: '+15005550001' });
  assert.deepEqual([status, body.code], [502, 'transfer_failed']);
  const call = await reaches(service, call_id, 'ANSWERED');
  assert.deepEqual(
    call.transfers.map(({ status, reason, sip_status_code }: Record<string, unknown>) => [
      status,
      reason,
      sip_status_code,
    ]),
    [['failed', 'busy', 486]],
  );
  assert.equal((await service.request('GET', `/api/sessions/${call_id}`)).body.transferred_to, null);
  assert.deepEqual(await participants(room_name), ['AGENT', 'SIP']);
  assert.equal((await transfer(call_id)).status, 200, 'another attempt is free to succeed');
});

test('a warm transfer brings the target into the room, and the agent leaves on completion', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const { status, body } = await transfer(call_id, { phone_number: TARGET, type: 'WARM' });
  assert.deepEqual([status, body.status, body.transfer_type], [200, 'initiated', 'WARM']);
  await eventually(
    () => service.request('GET', `/api/calls/${call_id}`),
    (answer) => answer.body.transfers[0].status === 'connected',
  );
  assert.deepEqual(await participants(room_name), ['AGENT', 'SIP', 'SIP']);
  const completed = await service.request('POST', `/api/sessions/${call_id}/transfer/complete`);
  assert.deepEqual([completed.status, completed.body.status], [200, 'completed']);
  assert.deepEqual(await participants(room_name), ['SIP', 'SIP']);
  const call = await reaches(service, call_id, 'ANSWERED');
  assert.equal(call.transfers[0].status, 'completed');
  const again = await service.request('POST', `/api/sessions/${call_id}/transfer/complete`);
  assert.deepEqual([again.status, again.body.code], [409, 'no_transfer_in_progress']);
});

test('after a warm transfer the session ends when one of the two hangs up', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await transfer(call_id, { phone_number: TARGET, type: 'WARM' });
  await eventually(
    () => service.request('GET', `/api/calls/${call_id}`),
    (answer) => answer.body.transfers[0].status === 'connected',
  );
  await service.media.removeParticipant(room_name, 'agent');
  await eventually(
    () => service.request('GET', `/api/calls/${call_id}`),
    (answer) => answer.body.transfers[0].status === 'completed',
  );
  const target = (await service.media.listParticipants(room_name)).find(({ identity }) =>
    identity.startsWith('transfer-'),
  );
  assert.ok(target);
  await service.media.removeParticipant(room_name, target.identity);
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
  assert.ok(!(await service.media.listRooms()).has(room_name));
});

test('a warm transfer whose target is busy leaves the caller with the agent', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await transfer(call_id, { phone_number: '+15005550001', type: 'WARM' });
  await eventually(
    () => service.request('GET', `/api/calls/${call_id}`),
    (answer) => answer.body.transfers[0].status === 'failed',
  );
  const call = await reaches(service, call_id, 'ANSWERED');
  assert.deepEqual([call.transfers[0].reason, call.transfers[0].sip_status_code], ['busy', 486]);
  assert.deepEqual(await participants(room_name), ['AGENT', 'SIP']);
  assert.equal((await service.request('GET', `/api/sessions/${call_id}`)).body.transferred_to, null);
});

test('the transfer type is that of the request, else of the agent’s configuration, else of the service', async () => {
  const agent_id = await createAgent(service, { config: { transfer: { type: 'WARM' } } });
  const byAgent = await answeredCall(service, { agent_id });
  assert.equal((await transfer(byAgent.call_id)).body.transfer_type, 'WARM');
  const byRequest = await answeredCall(service, { agent_id });
  assert.equal((await transfer(byRequest.call_id, { phone_number: TARGET, type: 'COLD' })).body.transfer_type, 'COLD');
});

test('a second transfer while one is under way is refused', async () => {
  const { call_id } = await answeredCall(service);
  const { dial } = service.media;
  const [begun, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // Otherwise the first may be over before the second one on a busy machine.
  service.media.dial = async (call) => {
    begun.resolve();
    await asked.promise;
    return dial(call);
  };
  const first = transfer(call_id, { phone_number: '+15005550002', type: 'WARM' });
  try {
    await begun.promise;
    const { status, body } = await transfer(call_id);
    assert.deepEqual([status, body.code], [409, 'transfer_in_progress']);
  } finally {
    service.media.dial = dial;
    asked.resolve();
    await first;
  }
});

test('only an answered call can be transferred', async () => {
  const ended = await placeCall(service, '+15005550001');
  await reaches(service, ended.call_id, 'FAILED');
  const conversation = (await service.request('POST', '/api/sessions/', { body: { user_id: USER } })).body.id;
  for (const id of [ended.call_id, conversation]) {
    const { status, body } = await transfer(id);
    assert.deepEqual([status, body.code], [409, 'session_not_active']);
  }
});

test('a transfer of an unknown or foreign session is a 404, of a bad number a 422', async () => {
  const { call_id } = await answeredCall(service);
  const foreign = await service.request('POST', `/api/sessions/${call_id}/transfer`, {
    user: 'somebody-else',
    body: { phone_number: TARGET },
  });
  assert.equal(foreign.status, 404);
  assert.equal((await transfer('nonsense')).status, 404);
  const bad = await transfer(call_id, { phone_number: '911' });
  assert.equal(bad.status, 422);
  assert.deepEqual(bad.body.detail[0].loc, ['body', 'phone_number']);
});

test('a call that ends while it is being transferred dials no target afterwards, and leaves no transfer open', async () => {
  const dialled: string[] = [];
  const racing = await startService({ env: { CALLS_BURST: '100', CALLS_CONCURRENT: '100' } });
  const dial = racing.media.dial;
  racing.media.dial = (call) => {
    if (call.phone_number === TARGET) dialled.push(call.room_name);
    return dial(call);
  };
  const agent_id = await createAgent(racing);
  for (let round = 0; round < 10; round++) {
    const { call_id, room_name } = await answeredCall(racing, { agent_id });
    const [, asked] = await Promise.all([
      racing.request('POST', `/api/calls/${call_id}/end`),
      racing.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number: TARGET, type: 'WARM' } }),
    ]);
    const call = await eventually(
      () => racing.request('GET', `/api/calls/${call_id}`),
      ({ body }) =>
        body.transfers.every(({ status }: { status: string }) => status === 'failed' || status === 'completed'),
    );
    assert.equal(call.body.transfers.length, asked.status === 200 ? 1 : 0);
    assert.ok(dialled.length <= call.body.transfers.length);
    await eventually(
      () => racing.media.listRooms(),
      (rooms) => !rooms.has(room_name),
    );
    dialled.length = 0;
  }
  await racing.close();
});

test('a transfer under way ends with its call', async () => {
  const { call_id } = await answeredCall(service);
  await transfer(call_id, { phone_number: TARGET, type: 'WARM' });
  await eventually(
    () => service.request('GET', `/api/calls/${call_id}`),
    (answer) => answer.body.transfers[0].status === 'connected',
  );
  const { body } = await service.request('POST', `/api/calls/${call_id}/end`);
  assert.equal(body.call_status, 'COMPLETED');
  assert.equal((await reaches(service, call_id, 'COMPLETED')).transfers[0].status, 'completed');
  const ringing = await answeredCall(service);
  await transfer(ringing.call_id, { phone_number: '+15005550002', type: 'WARM' });
  await service.request('POST', `/api/calls/${ringing.call_id}/end`);
  const [attempt] = (await reaches(service, ringing.call_id, 'COMPLETED')).transfers;
  assert.deepEqual([attempt.status, attempt.reason], ['failed', 'call_ended']);
});

test('a caller’s hang-up during a cold transfer is not reported as a failed transfer', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const asked = transfer(call_id, { phone_number: '+15005550002' });
  await eventually(
    () => service.request('GET', `/api/calls/${call_id}`),
    (answer) => answer.body.transfers.length === 1,
  );
  await service.media.removeParticipant(room_name, 'phone');
  const { status, body } = await asked;
  assert.deepEqual([status, body.code], [409, 'session_not_active']);
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
});

test('a concurrent transfer and hang-up do not deadlock', async () => {
  const busy = await startService({ env: { CALLS_PER_SECOND: '1000', CALLS_BURST: '1000', CALLS_CONCURRENT: '1000' } });
  const agent_id = await createAgent(busy);
  const statuses = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const { call_id } = await answeredCall(busy, { agent_id });
      const transfer = busy.request('POST', `/api/sessions/${call_id}/transfer`, {
        body: { phone_number: '+15005550101' },
      });
      await busy.request('GET', '/healthz');
      const ends = index % 3 === 0 ? [] : [busy.request('POST', `/api/calls/${call_id}/end`)];
      return Promise.all([transfer, ...ends].map(async (answer) => (await answer).status));
    }),
  );
  assert.deepEqual(
    statuses.flat().filter((status) => ![200, 409, 502].includes(status)),
    [],
  );
});

/** A warm transfer whose target has answered: the call and the target's identity in its room. */
async function connectedTransfer() {
  const call = await answeredCall(service);
  await transfer(call.call_id, { phone_number: TARGET, type: 'WARM' });
  await eventually(
    () => service.request('GET', `/api/calls/${call.call_id}`),
    (answer) => answer.body.transfers[0].status === 'connected',
  );
  const present = await service.media.listParticipants(call.room_name);
  const target = present.find(({ identity }) => identity.startsWith('transfer-'))?.identity ?? assert.fail();
  return { ...call, target };
}

test('a target that hangs up ends a warm transfer: the caller keeps the agent, and can be transferred again', async () => {
  const { call_id, room_name, target } = await connectedTransfer();
  service.media.hangUp(room_name, target);
  await eventually(
    () => service.request('GET', `/api/calls/${call_id}`),
    (answer) => answer.body.transfers[0].status === 'failed',
  );
  const call = await reaches(service, call_id, 'ANSWERED');
  assert.equal(call.transfers[0].reason, 'hangup');
  assert.equal((await service.request('GET', `/api/sessions/${call_id}`)).body.transferred_to, null);
  const completed = await service.request('POST', `/api/sessions/${call_id}/transfer/complete`);
  assert.deepEqual([completed.status, completed.body.code], [409, 'no_transfer_in_progress']);
  assert.deepEqual(await participants(room_name), ['AGENT', 'SIP']);
  assert.equal((await transfer(call_id, { phone_number: TARGET, type: 'WARM' })).status, 200);
});

test('a target whose audio stops ends a warm transfer as media_lost, and the caller keeps the agent', async () => {
  const { call_id, room_name, target } = await connectedTransfer();
  service.media.loseAudio(room_name, target);
  const { body } = await eventually(
    () => service.request('GET', `/api/calls/${call_id}`),
    (answer) => answer.body.transfers[0].status === 'failed',
  );
  assert.deepEqual([body.transfers[0].reason, body.call_status], ['media_lost', 'ANSWERED']);
  assert.deepEqual(await participants(room_name), ['AGENT', 'SIP']);
});

test('completing a transfer whose target left unnoticed does not remove the agent', async () => {
  const { call_id, room_name, target } = await connectedTransfer();
  const { listParticipants } = service.media;
  service.media.listParticipants = async (room) =>
    (await listParticipants(room)).filter(({ identity }) => identity !== target);
  const completed = await service.request('POST', `/api/sessions/${call_id}/transfer/complete`);
  service.media.listParticipants = listParticipants;
  assert.deepEqual([completed.status, completed.body.code], [409, 'no_transfer_in_progress']);
  assert.ok((await participants(room_name)).includes('AGENT'));
});
