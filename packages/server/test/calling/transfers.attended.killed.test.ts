// Consultations of attended transfers whose process dies, or is late.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia, type SandboxMedia } from '../../src/providers/sandbox/media.ts';
import { APART, attendedTransfers } from '../support/attended.ts';

/** A consultation whose process is gone: another one has the same database and rooms, and only its rounds look. */
async function restarted() {
  const clock = createTestClock();
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const gone = await startService({ clock, media: { ...sandbox, close: async () => {} } });
  const call = await attendedTransfers(gone, sandbox).consulting();
  await gone.app.stop();
  const next = await startService({ clock, database: gone.database, media: sandbox });
  // By then the former process does not hold the reconciler's lease any more.
  clock.advance(60_000);
  return { next, sandbox, clock, ...attendedTransfers(next, sandbox), ...call };
}

test('after a kill, rounds keep caller and target apart, and return the caller at the time limit', async () => {
  const { next, sandbox, clock, call_id, room_name, target, heard, attempt } = await restarted();
  sandbox.reconnect(room_name, 'phone');
  assert.ok(sandbox.heardBy(room_name, 'phone').includes(target), 'nobody looks after it');
  await next.app.reconcile();
  assert.deepEqual(heard(room_name, target), APART);
  clock.advance(61_000);
  await next.app.reconcile();
  const { status, reason } = await attempt(call_id);
  assert.deepEqual([status, reason], ['failed', 'max_duration']);
  assert.deepEqual(sandbox.heardBy(room_name, 'phone'), ['agent']);
  await next.close();
});

for (const [verdict, reason, status] of [
  ['connect', null, 'completed'],
  ['return', 'voicemail', 'failed'],
] as const) {
  test(`an end of a consultation (${verdict}) whose process was killed in the middle is finished by the next round`, async () => {
    const { next, sandbox, call_id, room_name, target, heard, attempt } = await restarted();
    await next.database.db.updateTable('transfers').set({ verdict, reason }).execute();
    await next.app.reconcile();
    const done = await attempt(call_id);
    assert.deepEqual([done.status, done.reason], [status, reason]);
    if (verdict === 'connect') assert.deepEqual(heard(room_name, target), [[target], ['phone']]);
    else assert.deepEqual(sandbox.heardBy(room_name, 'phone'), ['agent']);
    await next.close();
  });
}

test('a separation that comes too late does not keep caller and target apart', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const { setHearing } = sandbox;
  let late: (() => void) | undefined;
  const slow: SandboxMedia = {
    ...sandbox,
    setHearing: async (room, hearing) => {
      if (late === undefined && Object.values(hearing).includes('music')) {
        late = () => {};
        await new Promise<void>((resolve) => {
          late = resolve;
        });
      }
      return setHearing(room, hearing);
    },
  };
  const next = await startService({ media: slow });
  const { transfer, becomes, targetIn, complete, heard } = attendedTransfers(next, sandbox);
  const { call_id, room_name } = await answeredCall(next);
  await transfer(call_id);
  await becomes(call_id, 'connected');
  const target = await targetIn(room_name);
  await eventually(
    async () => late,
    (begun) => begun !== undefined,
  );
  // The separation has begun, and is still on its way to the media server.
  assert.equal((await complete(call_id)).status, 200);
  late?.();
  await eventually(
    async () => heard(room_name, target),
    (all) => JSON.stringify(all) === JSON.stringify([[target], ['phone']]),
  );
  await next.close();
});
