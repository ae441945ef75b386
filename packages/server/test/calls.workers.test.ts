// Workers of a call whose media server was restarted: one may be listed that is gone, and connect again at any moment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../src/lib/clock.ts';
import type { Media } from '../src/providers/media/media.ts';
import { createSandboxMedia } from '../src/providers/media/sandbox.ts';
import { ProviderError } from '../src/providers/provider-error.ts';

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
