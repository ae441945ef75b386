// Workers of a call whose media server was restarted: one may be listed that is gone, and connect again at any moment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Media } from '../../src/providers/media.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

test('a worker that reconnects while its former connection is being removed stays, and the call continues', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  let asked = 0;
  let done = 0;
  const removeParticipant: Media['removeParticipant'] = async (room_name, identity, sid) => {
    // LiveKit waits for the server of the connection, which has died; meanwhile the worker finds another.
    if (asked++ === 0) {
      await systemClock.sleep(5);
      media.reconnect(room_name, identity);
      await agentsIn(room_name, 1);
    }
    await media.removeParticipant(room_name, identity, sid);
    done++;
  };
  const agentsIn = (room_name: string, number: number) =>
    eventually(
      async () => (await media.listParticipants(room_name)).filter(({ kind }) => kind === 'AGENT'),
      (agents) => agents.length === number,
    );
  const restarted = await startService({ media: { ...media, removeParticipant } });
  const { call_id, room_name } = await answeredCall(restarted);
  await media.dispatchAgent({ room_name, agent_metadata: '{}' });
  await eventually(
    async () => done,
    (removals) => removals === 2,
  );
  assert.deepEqual(
    (await agentsIn(room_name, 1)).map(({ identity }) => identity),
    ['agent'],
  );
  const { body } = await restarted.request('GET', `/api/calls/${call_id}/status`);
  assert.equal(body.call_status, 'ANSWERED');
  await restarted.close();
});

test('a call ends although a stale worker is listed that no server can remove', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const trouble = { provider: 'sandbox', operation: 'removeParticipant', retryable: true };
  const removeParticipant = () => Promise.reject(new ProviderError('provider_timeout', trouble));
  const restarted = await startService({ media: { ...media, removeParticipant } });
  const { call_id, room_name } = await answeredCall(restarted);
  await media.dispatchAgent({ room_name, agent_metadata: '{}' });
  await eventually(
    () => media.listParticipants(room_name),
    (all) => all.filter(({ kind }) => kind === 'AGENT').length === 2,
  );
  media.hangUp(room_name, 'phone');
  assert.equal((await reaches(restarted, call_id, 'COMPLETED')).end_reason, 'hangup');
  await restarted.close();
});

test('the worker of an inbound call is dispatched again only when it is overdue, by whichever replica looks', async () => {
  const database = await openTestDatabase();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const clock = createTestClock();
  let dispatches = 0;
  // A worker that takes its time.
  const dispatchAgent = async () => void dispatches++;
  const first = await startService({ database, clock, media: { ...media, dispatchAgent } });
  const other = await startService({ database, clock, media: { ...media, dispatchAgent, subscribe: () => {} } });
  const agent_id = await createAgent(first);
  await first.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: '+15005550010' } });
  const room = media.callIn('+15005550010', '+15005550199') ?? assert.fail();
  await eventually(
    async () => dispatches,
    (count) => count === 1,
  );
  const dispatchedAfter = async (seconds: number) => {
    clock.advance(seconds * 1000);
    for (const service of [other, first, other]) {
      await database.db.deleteFrom('leases').execute();
      await service.app.reconcile();
    }
    return dispatches;
  };
  assert.equal(await dispatchedAfter(0), 1);
  assert.equal(await dispatchedAfter(6), 1);
  const late = await dispatchedAfter(1);
  assert.ok(late === 2 || late === 3, `${late}`);
  assert.equal(await dispatchedAfter(5), late);
  await dispatchedAfter(9);
  const { body } = await first.request('GET', `/api/sessions/by-room/${room}`);
  assert.equal(body.call_status, 'FAILED');
  await first.close();
  await other.close();
  await database.close();
});

test('a worker that is on its way is not dispatched again because watching its call has failed', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const clock = createTestClock();
  let dispatches = 0;
  let isAway = false;
  const dispatchAgent = async () => void dispatches++;
  const listParticipants: Media['listParticipants'] = (room) =>
    isAway ? Promise.reject(new Error('away')) : media.listParticipants(room);
  const service = await startService({ clock, media: { ...media, dispatchAgent, listParticipants } });
  const agent_id = await createAgent(service);
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: '+15005550010' } });
  assert.ok(media.callIn('+15005550010', '+15005550199'));
  await eventually(
    async () => dispatches,
    (count) => count === 1,
  );
  clock.advance(7_000);
  await service.app.reconcile();
  assert.equal(dispatches, 2, 'the first one is overdue');
  isAway = true;
  await eventually(
    async () => service.logged(),
    (lines) => lines.some((line) => line.includes('watching an inbound call failed')),
  );
  isAway = false;
  await service.app.reconcile();
  assert.equal(dispatches, 2);
  await service.close();
});

test('a slow worker that has accepted its job is dispatched again late, in case it has died, by either replica', async () => {
  const database = await openTestDatabase();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const clock = createTestClock();
  let dispatches = 0;
  const dispatchAgent = async () => void dispatches++;
  const isAgentComing = async () => true;
  const slow = { ...media, dispatchAgent, isAgentComing };
  const first = await startService({ database, clock, media: slow });
  const other = await startService({ database, clock, media: { ...slow, subscribe: () => {} } });
  const agent_id = await createAgent(first);
  await first.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: '+15005550010' } });
  assert.ok(media.callIn('+15005550010', '+15005550199'));
  await eventually(
    async () => dispatches,
    (count) => count === 1,
  );
  for (const [seconds, isAgain] of [
    [7, false],
    [6, false],
    [1, true],
  ] as const) {
    clock.advance(seconds * 1000);
    for (const service of [other, first]) {
      await database.db.deleteFrom('leases').execute();
      await service.app.reconcile();
    }
    assert.equal(dispatches > 1, isAgain);
  }
  await first.close();
  await other.close();
  await database.close();
});

for (const [name, afterS, expected] of [
  ['at once is the only one that was dispatched', 0, 0],
  ['late stays: the one that was dispatched in its place is withdrawn', 14, 1],
] as const) {
  test(`a worker that joins an inbound call ${name}`, async () => {
    const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
    const clock = createTestClock();
    let join = (): Promise<void> => assert.fail();
    let [dispatches, withdrawn] = [0, 0];
    const dispatchAgent: Media['dispatchAgent'] = async (room) => {
      dispatches++;
      join = () => media.dispatchAgent(room);
    };
    const withdrawAgents = async () => void withdrawn++;
    const slow = { ...media, dispatchAgent, withdrawAgents, isAgentComing: async () => true };
    const service = await startService({ clock, media: slow });
    const agent_id = await createAgent(service);
    const number = { agent_id, phone_number: '+15005550010' };
    await service.request('POST', '/api/telephony/numbers/assign', { body: number });
    const room = media.callIn('+15005550010', '+15005550199') ?? assert.fail();
    await eventually(
      async () => dispatches,
      (count) => count === 1,
    );
    clock.advance(afterS * 1000);
    await service.app.reconcile();
    assert.equal(dispatches, 1 + expected);
    await join();
    await eventually(
      () => service.request('GET', `/api/sessions/by-room/${room}`),
      ({ body }) => body.call_status === 'ANSWERED',
    );
    // Stopping waits until the call is no longer watched.
    if (expected > 0)
      await eventually(
        async () => withdrawn,
        (count) => count === expected,
      );
    await service.close();
    assert.equal(withdrawn, expected);
  });
}
