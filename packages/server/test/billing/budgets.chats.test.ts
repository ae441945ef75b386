import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused } from '../support/answers.ts';
import { claim, complete, send, served, startChat } from '../support/chats.ts';
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

test('a chat reserves nothing, and is refused only once nothing is left; a conversation in a room reserves as a call does', async () => {
  const service = await startService({ env: { MAX_CALL_DURATION_S: '540' } });
  const agent_id = await createAgent(service);
  const put = (monthly_limit: string) => {
    const body = { monthly_limit, refuse_calls: true, cost_per_minute: '1' };
    return service.request('PUT', `/api/budgets/${USER}`, { body });
  };
  const reserved = async () => (await service.request('GET', `/api/budgets/${USER}`)).body.reserved;
  const chat = () => service.request('POST', '/api/chats', { user: USER, body: { agent_id } });
  await put('20');
  assert.equal((await chat()).status, 201);
  assert.equal(await reserved(), '0');
  await placeCall(service, '+15005550100', { agent_id });
  const opened = await service.request('POST', '/api/sessions/', {
    body: { user_id: USER, agent_id, room_name: 'room' },
  });
  const session_id = opened.body.id;
  const token = () => service.request('POST', '/api/media/token', { user: USER, body: { session_id } });
  await put('19');
  assertRefused(await token(), 402, 'budget_exceeded');
  assert.equal((await chat()).status, 201);
  assert.equal(await reserved(), '10');
  await put('10');
  assertRefused(await chat(), 402, 'budget_exceeded');
  await put('20');
  assert.equal((await token()).status, 201);
  assert.equal(await reserved(), '20');
});

test('an answer that a worker gives while the budget ends its chat is kept', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const answered = send(service, chat_id, 'Hello?');
  const [task = assert.fail()] = await claim(service);
  const budget = { monthly_limit: '1', end_calls: true };
  assert.equal((await service.request('PUT', `/api/budgets/${USER}`, { body: budget })).status, 200);
  assert.equal((await logUsage(service, { user_id: USER, total_cost: '"1"' })).status, 201);
  await service.app.reconcile();
  assert.equal((await service.request('GET', `/api/chats/${chat_id}`, { user: USER })).body.status, 'COMPLETED');
  assert.equal((await complete(service, task, 'Good morning.')).status, 200);
  const { status, body } = await answered;
  assert.deepEqual([status, body.content], [200, 'Good morning.']);
  await service.close();
});
