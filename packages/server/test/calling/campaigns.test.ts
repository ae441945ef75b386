import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { countingMedia, LIMITS, outreach } from '../support/campaigns.ts';

const [BUSY, SILENT] = ['+15005550001', '+15005550002'];

const person = (n: number) => `+1500555${String(1000 + n)}`;

test('a campaign calls everybody once, tries again those who are busy, and is completed', async () => {
  const { media, numbers } = countingMedia();
  const service = await startService({ env: LIMITS, media });
  const { create, add, act, becomes, recipients, ok } = await outreach(service);
  const id = await create({ retries: { attempts: 2, on: ['busy'], delays_s: [0] } });
  const people = [BUSY, SILENT, person(1), person(2)].map((phone_number, index) => ({
    phone_number,
    external_id: `c-${index}`,
    variables: { name: `N${index}` },
  }));
  assert.deepEqual(await add(id, people), { added: 4, known: 0, refused: 0, refusals: [] });
  assert.deepEqual(await add(id, people), { added: 0, known: 4, refused: 0, refusals: [] });
  assert.equal((await act(id, 'start')).state, 'running');
  const done = await becomes(id, ({ state }) => state === 'completed');
  assert.equal(done.recipients.reached, 2);
  assert.equal(done.recipients.exhausted, 2);
  assert.deepEqual(numbers().sort(), [BUSY, BUSY, SILENT, person(1), person(2)].sort());
  const [busy, silent, reached] = await recipients(id);
  assert.deepEqual([busy.state, busy.reason, busy.attempts.length], ['exhausted', 'busy', 2]);
  assert.deepEqual([silent.state, silent.reason, silent.attempts.length], ['exhausted', 'no_answer', 1]);
  assert.deepEqual([reached.state, reached.attempts[0].outcome], ['reached', 'answered']);
  const call = await ok('GET', `/api/calls/${reached.attempts[0].call_id}`);
  assert.deepEqual(call.variables, { name: 'N2' });
  const stats = await ok('GET', `/api/campaigns/${id}/stats`);
  assert.deepEqual(
    [stats.attempts.total, stats.attempts.busy, stats.attempts.answered, stats.attempts.no_answer],
    [5, 2, 2, 1],
  );
  // Recipients that are added later are called too.
  await add(id, [{ phone_number: person(3) }]);
  await becomes(id, ({ state }) => state === 'completed');
  assert.equal(numbers().length, 6);
  await service.close();
});
