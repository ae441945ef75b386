import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Media } from '../../src/providers/media.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

for (const who of ['phone', 'target of a warm transfer'] as const) {
  test(`the ${who} stays in the call if its answer was recorded, whatever the bridge shows after it has reconnected`, async () => {
    const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
    const clock = createTestClock();
    const isDialed = (identity: string) => identity.startsWith('transfer-') === (who !== 'phone');
    let lose = (): void => {};
    let isReconnected = false;
    const dial: Media['dial'] = async (call, canceled) => {
      const outcome = await sandbox.dial(call, canceled);
      if (!isDialed(call.identity)) return outcome;
      return new Promise((_resolve, reject) => {
        lose = () =>
          reject(new ProviderError('provider_timeout', { provider: 'sandbox', operation: 'dial', retryable: true }));
      });
    };
    const listParticipants = async (room_name: string) =>
      (await sandbox.listParticipants(room_name)).map((one) =>
        isReconnected && one.phone ? { ...one, phone: { ...one.phone, state: 'dialing' as const } } : one,
      );
    const losing = await startService({ clock, media: { ...sandbox, dial, listParticipants } });
    const { call_id, room_name } = await placeCall(losing, '+15005550100');
    const read = async () => (await losing.request('GET', `/api/calls/${call_id}`)).body;
    if (who === 'phone') {
      await eventually(
        () => sandbox.listParticipants(room_name),
        (all) => all.some(({ phone }) => phone?.state === 'active'),
      );
    } else {
      await reaches(losing, call_id, 'ANSWERED');
      const body = { phone_number: '+15005550101', type: 'WARM' };
      await losing.request('POST', `/api/sessions/${call_id}/transfer`, { body });
      await eventually(
        () => sandbox.listParticipants(room_name),
        (all) => all.filter(({ phone }) => phone?.state === 'active').length === 2,
      );
      clock.advance(11_000);
    }
    await losing.app.reconcile();
    const known = async () => [(await read()).call_status, (await read()).transfers[0]?.status];
    const expected = ['ANSWERED', who === 'phone' ? undefined : 'connected'];
    assert.deepEqual(await known(), expected);
    isReconnected = true;
    lose();
    clock.advance(120_000);
    // Longer than the pause between two looks at the phone.
    await systemClock.sleep(1_200);
    assert.deepEqual(await known(), expected);
    assert.equal((await sandbox.listParticipants(room_name)).length, who === 'phone' ? 2 : 3);
    await losing.close();
  });
}

test('a phone that hangs up as soon as it has answered ends its call, or its transfer, as a hang-up', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  // It never joins the room: only the outcome tells of its hang-up.
  const dial: Media['dial'] = async (call, canceled) =>
    call.phone_number === '+15005550199' ? { answered: true, hung_up: true } : sandbox.dial(call, canceled);
  const hasty = await startService({ media: { ...sandbox, dial } });
  const { call_id } = await placeCall(hasty, '+15005550199');
  const { end_reason, started_at } = await reaches(hasty, call_id, 'COMPLETED');
  assert.equal(end_reason, 'hangup');
  assert.ok(started_at, 'it was answered');
  const talk = await placeCall(hasty, '+15005550100');
  await reaches(hasty, talk.call_id, 'ANSWERED');
  const body = { phone_number: '+15005550199', type: 'warm' };
  assert.equal((await hasty.request('POST', `/api/sessions/${talk.call_id}/transfer`, { body })).status, 200);
  const read = async () => (await hasty.request('GET', `/api/calls/${talk.call_id}`)).body;
  const after = await eventually(read, ({ transfers }) => transfers[0].status === 'failed');
  assert.deepEqual(
    [after.call_status, after.transfers[0].reason, after.transferred_to],
    ['ANSWERED', 'hangup', undefined],
  );
  await hasty.close();
});

test('a phone that leaves before its answer is committed ends its call, and is billed until it left', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const answer = Promise.withResolvers<void>();
  const dial: Media['dial'] = async (call, canceled) => {
    const outcome = await sandbox.dial(call, canceled);
    sandbox.hangUp(call.room_name, call.identity);
    await answer.promise;
    return outcome;
  };
  const slow = await startService({ media: { ...sandbox, dial } });
  const { call_id, room_name } = await placeCall(slow, '+15005550100');
  const { db } = slow.database;
  await eventually(
    () => db.selectFrom('media_events').select('body').where('room_name', '=', room_name).execute(),
    (events) => events.some(({ body }) => body.includes('participant_left')),
  );
  answer.resolve();
  const { end_reason, started_at } = await reaches(slow, call_id, 'COMPLETED');
  assert.equal(end_reason, 'hangup');
  assert.ok(started_at, 'it was answered');
  await slow.close();
});
