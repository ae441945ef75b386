import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const assign = async (service: Service, phone_number: string) => {
  const agent_id = await createAgent(service);
  return service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number } });
};

test('of two processes that assign a number each, the slower one does not take the other number away', async () => {
  const database = await openTestDatabase();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 5 });
  const goOn = Promise.withResolvers<void>();
  let told: string[] = [];
  let isSlow = false;
  let waiting = 0;
  const slow: typeof media = {
    ...media,
    setInboundNumbers: async (numbers) => {
      if (isSlow) {
        waiting++;
        await goOn.promise;
      }
      told = numbers;
    },
  };
  const fast = {
    ...media,
    setInboundNumbers: async (numbers: string[]) => {
      told = numbers;
    },
  };
  const [one, other] = [await startService({ database, media: slow }), await startService({ database, media: fast })];
  isSlow = true;
  const first = assign(one, '+15005550010');
  await eventually(
    async () => waiting,
    (count) => count === 1,
  );
  assert.equal((await assign(other, '+15005550011')).status, 200);
  assert.deepEqual(told, ['+15005550010', '+15005550011']);
  goOn.resolve();
  assert.equal((await first).status, 200);
  assert.deepEqual(told, ['+15005550010', '+15005550011']);
  await other.close();
  await one.close();
  await database.close();
});
