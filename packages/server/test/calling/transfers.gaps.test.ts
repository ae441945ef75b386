// Transfers while someone reconnects to the room, or after their call has ended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const TARGET = '+15005550101';

/** A warm transfer whose target has answered, in a room where `without` hides participants that reconnect. */
async function connected() {
  const clock = createTestClock();
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const { listParticipants } = sandbox;
  let isAway = (_identity: string): boolean => false;
  let looks = 0;
  const present: typeof listParticipants = async (room) => {
    looks++;
    return (await listParticipants(room)).filter(({ identity }) => !isAway(identity));
  };
  const service = await startService({ clock, media: { ...sandbox, listParticipants: present } });
  const { call_id, room_name } = await answeredCall(service);
  await eventually(
    () => service.database.db.selectFrom('sessions').select('agent_joined_at').executeTakeFirstOrThrow(),
    ({ agent_joined_at }) => agent_joined_at !== null,
  );
  const body = { phone_number: TARGET, type: 'WARM' };
  await service.request('POST', `/api/sessions/${call_id}/transfer`, { body });
  const call = async () => (await service.request('GET', `/api/calls/${call_id}`)).body;
  await eventually(call, ({ transfers }) => transfers[0].status === 'connected');
  return {
    service,
    sandbox,
    clock,
    call_id,
    room_name,
    call,
    looks: () => looks,
    away: (who: 'phone' | 'transfer-' | null) => {
      isAway = (identity) => who !== null && identity.startsWith(who);
    },
    complete: () => service.request('POST', `/api/sessions/${call_id}/transfer/complete`),
    kinds: async () => (await listParticipants(room_name)).map(({ kind }) => kind).sort(),
    /** Waits until every event has been handled, the last of which is a departure. */
    handled: () =>
      eventually(
        () => service.database.db.selectFrom('media_events').selectAll().execute(),
        (events) =>
          events.some(({ body }) => /"participant_left"/.test(body)) &&
          events.every(({ handled_at }) => handled_at !== null),
      ),
    reconcile: async (seconds: number) => {
      clock.advance(seconds * 1000);
      await service.app.reconcile();
    },
  };
}

for (const [name, who] of [
  ['target', 'transfer-'],
  ['caller', 'phone'],
] as const) {
  test(`a warm transfer is completed while its ${name} reconnects: the agent leaves once both are there`, async () => {
    const { service, sandbox, away, complete, looks, kinds, call, room_name, handled } = await connected();
    away(who);
    const before = looks();
    const completed = complete();
    await eventually(
      async () => looks(),
      (now) => now > before,
    );
    assert.deepEqual(await kinds(), ['AGENT', 'SIP', 'SIP']);
    away(null);
    const { status, body } = await completed;
    assert.deepEqual([status, body.status], [200, 'completed']);
    await handled();
    assert.deepEqual(await kinds(), ['SIP', 'SIP']);
    const { call_status, transfers } = await call();
    assert.deepEqual([call_status, transfers[0].status], ['ANSWERED', 'completed']);
    sandbox.hangUp(room_name, 'phone');
    assert.equal((await reaches(service, (await call()).call_id, 'COMPLETED')).end_reason, 'hangup');
    await service.close();
  });

  test(`an agent that leaves a warm transfer while its ${name} reconnects leaves the two to each other`, async () => {
    const { service, sandbox, away, call, room_name, handled, reconcile } = await connected();
    away(who);
    sandbox.hangUp(room_name, 'agent');
    await handled();
    await reconcile(0);
    assert.equal((await call()).call_status, 'ANSWERED');
    away(null);
    await reconcile(60);
    const { call_status, transfers } = await call();
    assert.deepEqual([call_status, transfers[0].status], ['ANSWERED', 'completed']);
    await service.close();
  });

  test(`a call ends whose agent has left a warm transfer, and whose ${name} does not return`, async () => {
    const { service, sandbox, away, call, room_name, handled, reconcile } = await connected();
    away(who);
    sandbox.hangUp(room_name, 'agent');
    await handled();
    await reconcile(0);
    await reconcile(6);
    const { call_status, end_reason } = await call();
    assert.deepEqual([call_status, end_reason], ['COMPLETED', 'hangup']);
    await service.close();
  });
}

test('a target that hangs up while the caller reconnects ends the transfer, and not the call', async () => {
  const { service, sandbox, away, call, room_name, handled, reconcile } = await connected();
  const target = (await sandbox.listParticipants(room_name)).find(({ identity }) => identity.startsWith('transfer-'));
  away('phone');
  sandbox.hangUp(room_name, target?.identity ?? assert.fail());
  await handled();
  away(null);
  await reconcile(0);
  await reconcile(6);
  const { call_status, transfers } = await call();
  assert.deepEqual([call_status, transfers[0].status, transfers[0].reason], ['ANSWERED', 'failed', 'hangup']);
  await service.close();
});

for (const [name, end, end_reason] of [
  ['is accepted although its call has ended', 'user', 'ended_by_user'],
  ['is accepted although its call has reached its longest duration', 'time', 'max_duration'],
  ['is not answered while its call ends', 'user', 'ended_by_user'],
] as const) {
  test(`a cold transfer that ${name} is a 409, as the call says`, async () => {
    const clock = createTestClock();
    const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
    const asked = Promise.withResolvers<void>();
    const accept = Promise.withResolvers<{ accepted: true }>();
    const refer = () => {
      asked.resolve();
      return accept.promise;
    };
    const service = await startService({ clock, media: { ...sandbox, refer } });
    const { call_id } = await answeredCall(service);
    const body = { phone_number: TARGET, type: 'COLD' };
    const transferred = service.request('POST', `/api/sessions/${call_id}/transfer`, { body });
    await asked.promise;
    if (end === 'user') await service.request('POST', `/api/calls/${call_id}/end`);
    else {
      clock.advance(3 * 60 * 60 * 1000);
      await service.app.reconcile();
    }
    // As livekit-sip 1.11 does once its call is over, whatever becomes of the target.
    if (name.startsWith('is accepted')) accept.resolve({ accepted: true });
    const reply = await transferred;
    assert.deepEqual([reply.status, reply.body.code], [409, 'session_not_active']);
    const call = await reaches(service, call_id, 'COMPLETED');
    assert.equal(call.end_reason, end_reason);
    const [{ status, reason }] = call.transfers;
    assert.deepEqual([status, reason], ['failed', 'call_ended']);
    await service.close();
  });
}

for (const [name, leaves, status, provider_code] of [
  ['a cold transfer whose answer is lost has succeeded if the phone leaves', true, 200, null],
  ['a cold transfer whose answer is lost has failed if the room cannot be read either', false, 503, null],
  ['a cold transfer that a proxy has refused has failed, although the phone leaves soon', true, 502, '429'],
] as const) {
  test(name, async () => {
    const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
    const lost = (operation: string) =>
      new ProviderError('provider_unavailable', { provider: 'sandbox', operation, retryable: true, provider_code });
    let isAway = false;
    const refer = async (room_name: string, identity: string) => {
      if (leaves) setTimeout(() => sandbox.hangUp(room_name, identity), 1_200);
      else isAway = true;
      throw lost('refer');
    };
    const listParticipants = async (room_name: string) => {
      if (isAway) throw lost('listParticipants');
      return sandbox.listParticipants(room_name);
    };
    const service = await startService({ media: { ...sandbox, refer, listParticipants } });
    const { call_id } = await answeredCall(service);
    const body = { phone_number: TARGET, type: 'COLD' };
    const reply = await service.request('POST', `/api/sessions/${call_id}/transfer`, { body });
    assert.equal(reply.status, status);
    isAway = false;
    const call = (await service.request('GET', `/api/calls/${call_id}`)).body;
    const [{ status: transferred }] = call.transfers;
    assert.deepEqual([call.end_reason, transferred], status === 200 ? ['transferred', 'completed'] : [null, 'failed']);
    await service.close();
  });
}
