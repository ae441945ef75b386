// Ids that a client writes in upper case, as some languages do: they are those of the same session and agent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { logUsage } from '../support/usage.ts';

const service = await startService();
const agent_id = await createAgent(service);
const { call_id } = await placeCall(service, '+15005550100', { agent_id });
const upper = { session_id: call_id.toUpperCase(), agent_id: agent_id.toUpperCase() };

const read = async (path: string) => {
  const { status, body } = await service.request('GET', path, { user: USER });
  assert.equal(status, 200, path);
  return body;
};

test('usage of a session or an agent that is named in upper case is that of the same session and agent', async () => {
  const one = await logUsage(service, { user_id: USER, ...upper });
  assert.deepEqual([one.body.session_id, one.body.agent_id], [call_id, agent_id]);
  const event = { user_id: USER, provider: 'openai', event_type: 'llm_tokens', quantity: '1', unit_cost: '1' };
  const batch = { events: [{ ...event, ...upper }] };
  assert.equal((await service.request('POST', '/api/usage/events/batch', { body: batch })).status, 201);
  assert.equal((await read(`/api/sessions/${call_id}/costs`)).total_cost, '2');
  assert.equal((await read(`/api/usage/events?session_id=${call_id}`)).items.length, 2);
  const { items } = await read('/api/costs/report?group_by=agent');
  assert.deepEqual(
    items.map((item: { agent_id: string; total_cost: string }) => [item.agent_id, item.total_cost]),
    [[agent_id, '2']],
  );
});

test('filters by a session and by an agent take either case', async () => {
  await logUsage(service, { user_id: USER, session_id: call_id, agent_id });
  for (const path of ['/api/usage/events?', '/api/costs/report?group_by=day&'])
    for (const name of path.includes('usage') ? (['session_id', 'agent_id'] as const) : (['agent_id'] as const)) {
      const { items } = await read(`${path}${name}=${upper[name]}`);
      assert.deepEqual(items, (await read(`${path}${name}=${upper[name].toLowerCase()}`)).items);
      assert.ok(items.length > 0, path + name);
    }
});

test('other text stays as it was sent', async () => {
  const fields = { user_id: USER, session_id: 'Session-A', agent_id: 'ÄGENT' };
  const { body } = await logUsage(service, fields);
  assert.deepEqual([body.session_id, body.agent_id], ['Session-A', 'ÄGENT']);
  assert.equal((await read('/api/usage/events?session_id=Session-A')).items.length, 1);
});
