import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { reactionOf } from '../../src/providers/sandbox/population.ts';

test('of a hundred people of the sandbox, each reaction has its share', () => {
  const counts: Record<string, number> = {};
  for (let number = 0; number < 100; number++) {
    const reaction = reactionOf(`+150055642${String(number).padStart(2, '0')}`);
    counts[`${reaction}`] = (counts[`${reaction}`] ?? 0) + 1;
  }
  assert.deepEqual(counts, { busy: 10, rings_out: 15, voicemail: 10, hangs_up: 7, objects: 5, talks: 53 });
});

test('other numbers are not in the population', () => {
  for (const number of ['+15005550001', '+1500556123', '+150055612345', '+491500556123'])
    assert.equal(reactionOf(number), null, number);
});

test('voicemail is reported and hung up on, somebody who objects says so, and the service stops afterwards', async () => {
  const service = await startService({ env: { SANDBOX_CONVERSATIONS: '20', SANDBOX_RING_MS: '50' } });
  const ask = async (method: string, path: string, body?: object) =>
    (await service.request(method, path, { user: 'me', ...(body && { body }) })).body;
  const config = { greeting: 'Good morning.' };
  const { id: agent_id } = await ask('POST', '/api/agents/', { name: 'Reminder', user_id: 'me', config });
  const called = async (phone_number: string) => {
    const { call_id } = await ask('POST', '/api/calls/outbound', { agent_id, phone_number });
    return eventually(
      () => ask('GET', `/api/calls/${call_id}`),
      ({ ended_at }) => ended_at !== null,
    );
  };
  const [machine, person] = await Promise.all([called('+15005561025'), called('+15005561042')]);
  assert.deepEqual([machine.answered_by, machine.end_reason], ['voicemail', 'voicemail']);
  assert.equal(person.end_reason, 'hangup');
  const said = await ask('GET', `/api/sessions/${person.call_id}/transcripts`);
  assert.ok(
    said.items.some(({ content }: { content: string }) => content.includes('do not call me again')),
    JSON.stringify(said.items),
  );
  await service.close();
});
