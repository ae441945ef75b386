import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, placeCall } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
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
