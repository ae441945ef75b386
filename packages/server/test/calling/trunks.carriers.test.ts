import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, placeCall } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { readTrunks } from '../../src/providers/trunks.ts';

for (const [trunks, provider] of [
  ['sandbox-1,sandbox-2@telnyx', 'telnyx'],
  ['sandbox-1@bell,sandbox-2', 'sandbox'],
] as const)
  test(`a call that the second trunk of ${trunks} has carried is booked with ${provider}`, async () => {
    const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
    const media: typeof sandbox = {
      ...sandbox,
      trunks: readTrunks(trunks),
      dial: async (call, canceled) => {
        if (call.trunk === 'sandbox-2') return sandbox.dial(call, canceled);
        const end_reason = 'trunk_not_found';
        return { answered: false, no_answer: false, end_reason, sip_status_code: null, by_trunk: 'unsent' };
      },
    };
    const service = await startService({ media });
    const { call_id } = await answeredCall(service);
    await service.request('POST', `/api/calls/${call_id}/end`);
    const { body } = await service.request('GET', `/api/usage/events?session_id=${call_id}`);
    const lines = body.items.map(({ event_type, provider: by }: Json) => `${event_type} ${by}`).sort();
    assert.deepEqual(lines, ['media_minutes sandbox', `telephony_minutes ${provider}`]);
    await service.close();
  });

test('a phone that answers on the second trunk as its call is ended is booked with its carrier', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const media: typeof sandbox = {
    ...sandbox,
    trunks: readTrunks('sandbox-1,sandbox-2@telnyx'),
    dial: async ({ trunk }) => {
      const end_reason = 'trunk_not_found';
      if (trunk === 'sandbox-1')
        return { answered: false, no_answer: false, end_reason, sip_status_code: null, by_trunk: 'unsent' };
      await answered;
      return { answered: true };
    },
  };
  const service = await startService({ media });
  const { call_id } = await placeCall(service, '+15005550100');
  await service.request('POST', `/api/calls/${call_id}/end`);
  answer();
  const lines = await eventually(
    async () => (await service.request('GET', `/api/usage/events?session_id=${call_id}`)).body.items,
    (items) => items.length > 0,
  );
  const types = lines.map(({ event_type, provider: by }: Json) => `${event_type} ${by}`).sort();
  assert.deepEqual(types, ['media_minutes sandbox', 'telephony_minutes telnyx']);
  await service.close();
});

/** A call whose second trunk has had its phone answered, of which its process learns when `learn` is called. */
async function answeredUnknown(database: Awaited<ReturnType<typeof openTestDatabase>>) {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const told = Promise.withResolvers<void>();
  const media: typeof sandbox = {
    ...sandbox,
    trunks: readTrunks('sandbox-1,sandbox-2@telnyx'),
    dial: async (call, canceled) => {
      const end_reason = 'trunk_not_found';
      if (call.trunk === 'sandbox-1')
        return { answered: false, no_answer: false, end_reason, sip_status_code: null, by_trunk: 'unsent' };
      const outcome = await sandbox.dial(call, canceled);
      await told.promise;
      return outcome;
    },
  };
  const service = await startService({ database, media });
  const { call_id, room_name } = await placeCall(service, '+15005550100');
  await eventually(
    () => sandbox.listParticipants(room_name),
    (all) => all.some(({ phone }) => phone?.state === 'active'),
  );
  const read = async () => (await service.request('GET', `/api/calls/${call_id}`)).body;
  return { service, media, call_id, read, learn: told.resolve };
}

const CARRIED = { trunk: 'sandbox-2', end_reason: null, sip_status_code: null };

test('a phone whose process has died before it answered is booked with the carrier of its trunk', async () => {
  const database = await openTestDatabase();
  const { service: dead, media, call_id } = await answeredUnknown(database);
  const next = await startService({ database, media });
  await next.app.reconcile();
  const { body } = await next.request('GET', `/api/calls/${call_id}`);
  assert.deepEqual([body.call_status, body.trunks], ['ANSWERED', [CARRIED]]);
  await next.request('POST', `/api/calls/${call_id}/end`);
  const { items } = (await next.request('GET', `/api/usage/events?session_id=${call_id}`)).body;
  const lines = items.map(({ event_type, provider: by }: Json) => `${event_type} ${by}`).sort();
  assert.deepEqual(lines, ['media_minutes sandbox', 'telephony_minutes telnyx']);
  await next.close();
  await dead.close();
  await database.close();
});

test('the process that dials a phone still records all trunks if the reconciler has seen the answer first', async () => {
  const database = await openTestDatabase();
  const { service, read, learn } = await answeredUnknown(database);
  await service.app.reconcile();
  assert.deepEqual((await read()).trunks, [CARRIED]);
  learn();
  const { trunks } = await eventually(read, (call) => call.trunks.length > 1);
  assert.deepEqual(trunks, [{ trunk: 'sandbox-1', end_reason: 'trunk_not_found', sip_status_code: null }, CARRIED]);
  await service.close();
  await database.close();
});
