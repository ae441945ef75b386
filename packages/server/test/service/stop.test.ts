import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';

test('a service that has stopped leaves no timer behind, which would keep its process alive', async () => {
  const sleeping = new Set<object>();
  const sleep = async (ms: number, signal?: AbortSignal) => {
    const one = { ms };
    sleeping.add(one);
    await systemClock.sleep(ms, signal).finally(() => sleeping.delete(one));
  };
  const service = await startService({ clock: { ...systemClock, sleep } });
  await service.close();
  assert.deepEqual([...sleeping], []);
});
