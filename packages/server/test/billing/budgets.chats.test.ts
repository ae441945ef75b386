import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused } from '../support/answers.ts';
import { logUsage } from '../support/usage.ts';

test('a spent budget refuses chats and ends open ones, and what is said in them', async () => {
  const service = await startService();
  const agent_id = await createAgent(service);
  const start = () => service.request('POST', '/api/chats', { user: USER, body: { agent_id } });
  const { chat_id } = (await start()).body;
  const path = `/api/chats/${chat_id}`;
  const say = () => service.request('POST', `${path}/messages`, { user: USER, body: { content: 'Hello?' } });
  assert.equal((await say()).status, 200);
  const budget = { monthly_limit: '1', refuse_calls: true, end_calls: true };
  assert.equal((await service.request('PUT', `/api/budgets/${USER}`, { body: budget })).status, 200);
  assert.equal((await logUsage(service, { user_id: USER, total_cost: '"1"' })).status, 201);
  assertRefused(await start(), 402, 'budget_exceeded');
  assertRefused(await service.request('POST', `${path}/fork`, { user: USER, body: {} }), 402, 'budget_exceeded');
  await service.app.reconcile();
  const { status, timeline } = (await service.request('GET', path, { user: USER })).body;
  assert.equal(status, 'COMPLETED', JSON.stringify(timeline));
  assertRefused(await say(), 409, 'session_over');
});
