import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxCarrier } from '../../src/providers/sandbox/carrier.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

for (const held of ['closing a room', 'releasing a number'] as const) {
  test(`an erasure that was held up ${held} leaves alone a user who has returned since another process finished it`, async () => {
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const isHeldIn = async (place: string) => {
      if (place !== held) return;
      reached.resolve();
      await goOn.promise;
    };
    const [carrier, media] = [createSandboxCarrier(), createSandboxMedia({ clock: systemClock, ringMs: 1 })];
    const service = await startService({
      carrier: { ...carrier, detach: (...args) => isHeldIn('releasing a number').then(() => carrier.detach(...args)) },
      media: { ...media, closeRoom: (room) => isHeldIn('closing a room').then(() => media.closeRoom(room)) },
    });
    const { db } = service.database;
    const open = async () => (await service.request('POST', '/api/sessions/', { body: { user_id: 'eve' } })).body.id;
    const agent_id = await createAgent(service, { user_id: 'eve' });
    const number = { agent_id, phone_number: '+15005550010' };
    assert.equal((await service.request('POST', '/api/telephony/numbers/assign', { body: number })).status, 200);
    await open();
    const erased = service.request('DELETE', '/api/users/eve');
    await reached.promise;
    // As another process leaves it, as far as it matters here.
    await db.updateTable('erasures').set({ user_id: null, finished_at: new Date() }).execute();
    const session_id = await open();
    goOn.resolve();
    const { status, body } = await erased;
    assert.equal(status, 200, JSON.stringify(body));
    const { body: session } = await service.request('GET', `/api/sessions/${session_id}`);
    assert.deepEqual([session.user_id, session.status], ['eve', 'ACTIVE']);
    await service.close();
  });
}
