import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';

const service = await startService();

test('the sums of a session match the listed events while events are being logged', async () => {
  const { id } = (await service.request('POST', '/api/sessions/', { body: { user_id: USER } })).body;
  const event = {
    session_id: id,
    user_id: USER,
    provider: 'p',
    event_type: 'llm_tokens',
    quantity: 1,
    unit_cost: 1,
    total_cost: 1,
  };
  const logging = Array.from({ length: 100 }, () => service.request('POST', '/api/usage/events', { body: event }));
  const reading = Array.from({ length: 50 }, () => service.request('GET', `/api/sessions/${id}/costs?limit=100`));
  for (const { body } of await Promise.all(reading)) assert.equal(body.total_cost, String(body.events.length));
  await Promise.all(logging);
  assert.equal((await service.request('GET', `/api/sessions/${id}/costs`)).body.total_cost, '100');
});
