import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { SAMPLE } from '../../src/ops/maintenance/reconcile.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const TARGET = '+15005550101';

/** A service whose dialing of targets resolves on `answer`; without events, only the reconciler notices them. */
async function startWithSilentTargets({ hasEvents = false, otherCalls = 0 }) {
  const clock = createTestClock();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  let answer = (): void => {};
  const dial: typeof media.dial = async (call, canceled) => {
    const outcome = await media.dial(call, canceled);
    if (!call.identity.startsWith('transfer-')) return outcome;
    return new Promise((resolve) => {
      answer = () => resolve(outcome);
    });
  };
  const next = await startService({ clock, media: { ...media, dial, ...(!hasEvents && { subscribe: () => {} }) } });
  for (let call = 0; call < otherCalls; call++) await answeredCall(next);
  const { call_id, room_name } = await answeredCall(next);
  await next.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number: TARGET, type: 'WARM' } });
  await eventually(
    () => media.listParticipants(room_name),
    (all) => all.filter(({ phone }) => phone?.state === 'active').length === 2,
  );
  const status = async () => (await next.request('GET', `/api/calls/${call_id}`)).body.transfers[0].status;
  return { service: next, clock, room_name, status, answer: () => answer() };
}

test('a target that answers after its dialing process died is detected even without an event', async () => {
  const silent = await startWithSilentTargets({ otherCalls: SAMPLE });
  assert.equal(await silent.status(), 'pending');
  silent.clock.advance(11_000);
  await silent.service.app.reconcile();
  assert.equal(await silent.status(), 'connected');
  await silent.service.close();
});

test('a target already detected stays in the call when its dial request completes later', async () => {
  const silent = await startWithSilentTargets({});
  silent.clock.advance(11_000);
  await silent.service.app.reconcile();
  silent.answer();
  await systemClock.sleep(50);
  assert.equal(await silent.status(), 'connected');
  const kinds = (await silent.service.media.listParticipants(silent.room_name)).map(({ kind }) => kind);
  assert.deepEqual(kinds.sort(), ['AGENT', 'SIP', 'SIP']);
  await silent.service.close();
});

test('an event can show that a transfer’s target has answered before its dial request does', async () => {
  const silent = await startWithSilentTargets({ hasEvents: true });
  const gone = { sid: 'PA_gone', identity: 'web-1', kind: 'STANDARD', disconnectReason: 'CLIENT_INITIATED' };
  const body = { event: 'participant_left', id: 'EV_web_1', room: { name: silent.room_name }, participant: gone };
  await silent.service.request('POST', '/api/media/webhook', { body });
  await eventually(silent.status, (status) => status === 'connected');
  await silent.service.close();
});

test('a transfer whose room has no living server does not delay others', async () => {
  const clock = createTestClock();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const dial: typeof media.dial = async (call, canceled) => {
    const outcome = await media.dial(call, canceled);
    return call.identity.startsWith('transfer-') ? new Promise<never>(() => {}) : outcome;
  };
  let silentRoom = '';
  const listParticipants: typeof media.listParticipants = (room) =>
    room === silentRoom ? Promise.reject(new Error('no server answers for this room')) : media.listParticipants(room);
  const service = await startService({ clock, media: { ...media, dial, listParticipants, subscribe: () => {} } });
  for (let sampled = 0; sampled < SAMPLE; sampled++) await answeredCall(service);
  const [first, second] = [await answeredCall(service), await answeredCall(service)];
  for (const { call_id, room_name } of [first, second]) {
    await service.request('POST', `/api/sessions/${call_id}/transfer`, {
      body: { phone_number: TARGET, type: 'WARM' },
    });
    await eventually(
      () => media.listParticipants(room_name),
      (all) => all.filter(({ phone }) => phone?.state === 'active').length === 2,
    );
  }
  silentRoom = first.room_name;
  clock.advance(11_000);
  await service.app.reconcile();
  const { body } = await service.request('GET', `/api/calls/${second.call_id}`);
  assert.equal(body.transfers[0].status, 'connected');
  await service.close();
});
