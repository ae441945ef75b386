import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { Compile } from 'typebox/compile';
import { ChatEndedData } from '../../src/billing/reports/schema.ts';
import { timeIds } from '../../src/lib/ids.ts';
import { assertRefused } from '../support/answers.ts';
import { CONFIG, claim, complete, post, send, served, startChat, variables } from '../support/chats.ts';

const receiver = await startReceiver();
const clock = createTestClock();
const service = await startService({ clock });
// As in a process of its own: when something arrived is told by its id.
timeIds(() => clock.now().getTime());
// Beyond the ids that were made at the start.
clock.advance(60_000);
const DAY_MS = 24 * 60 * 60_000;

const pass = async (ms: number) => {
  clock.advance(ms);
  await service.app.reconcile();
};
const at = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(body));
const arrived = (path: string, count = 1) =>
  eventually(
    async () => at(path),
    ({ length }) => length >= count,
  );
const start = async (fields: object) => (await post(service, '/api/chats', { variables, ...fields })).body.chat_id;
const endpoint = (path: string, events: string[] | null) =>
  post(service, '/api/webhook-endpoints', { url: receiver.url + path, events });

test('a chat that has ended is reported once to each destination, signed, with its metadata and costs', async () => {
  const agent_id = await createAgent(service, { config: CONFIG });
  const callback_url = `${receiver.url}/own`;
  await endpoint('/all', null);
  await endpoint('/chats', ['chat.ended']);
  await endpoint('/calls', ['call.completed']);
  const chat_id = await start({ agent_id, callback_url, metadata: { crm_id: 'C-17' } });
  await send(service, chat_id, 'When do you open on Sunday?');
  // A session that is not a chat.
  const other = await post(service, '/api/sessions/', { room_name: 'elsewhere', user_id: USER, agent_id });
  assert.ok(other.status < 300);
  clock.advance(2_000);
  for (const path of ['sessions/by-room/elsewhere', `chats/${chat_id}`, `chats/${chat_id}`])
    assert.equal((await post(service, `/api/${path}/end`)).status, 200, path);
  await pass(1_000);
  assert.deepEqual(at('/own'), [], 'not before the costs can be there');
  await pass(31_000);
  for (const path of ['/own', '/all', '/chats']) {
    const [{ type, data }] = await arrived(path);
    assert.equal(type, 'chat.ended');
    const { chat_id: id, direction, agent_version, status, end_reason, metadata, costs } = data;
    assert.deepEqual([id, direction, agent_version, status], [chat_id, 'CHAT', 1, 'COMPLETED']);
    assert.deepEqual([data.agent_id, end_reason, metadata], [agent_id, 'hangup', { crm_id: 'C-17' }]);
    const shown = (await service.request('GET', `/api/sessions/${chat_id}/costs`, { user: USER })).body;
    assert.deepEqual([costs.total_cost, Object.keys(costs.by_provider)], [shown.total_cost, ['sandbox']]);
    assert.ok(Number(costs.total_cost) > 0 && data.duration > 0);
    assert.ok(Compile(ChatEndedData).Check(data), JSON.stringify([...Compile(ChatEndedData).Errors(data)]));
    assert.match(receiver.at(path)[0]?.headers['webhook-signature'] ?? '', /^v1,/);
  }
  await pass(20 * 60_000);
  const { items } = (await service.request('GET', `/api/callbacks?call_id=${chat_id}`, { user: USER })).body;
  assert.equal(items.length, 3);
  assert.deepEqual([at('/calls'), at('/all').length], [[], 1]);
});

test('a chat that nobody ends is reported after a day, to the callback URL of its agent', async () => {
  const agent_id = await createAgent(service, { config: CONFIG });
  const body = { callback_url: `${receiver.url}/agent` };
  const set = await service.request('PUT', `/api/agents/${agent_id}/callback-url`, { user: USER, body });
  assert.equal(set.status, 200);
  // One with a draft is nobody's business.
  const draft = await start({ agent_id, agent_version: 'draft' });
  const { body: copy } = await post(service, `/api/chats/${draft}/fork`, {});
  for (const id of [draft, copy.chat_id]) assert.equal((await post(service, `/api/chats/${id}/end`)).status, 200);
  const chat_id = await start({ agent_id });
  const { body: fork } = await post(service, `/api/chats/${chat_id}/fork`, {});
  assert.equal((await post(service, `/api/chats/${chat_id}/fork`, { agent_version: 'draft' })).status, 201);
  // Rounds end what they find over twice, some seconds apart.
  for (const ms of [DAY_MS + 60_000, 6_000, 31_000]) await pass(ms);
  const events = await arrived('/agent', 2);
  assert.deepEqual(events.map(({ data }) => data.chat_id).sort(), [chat_id, fork.chat_id].sort());
});

test('a callback URL that is none is refused; an erasure leaves nothing of the events', async () => {
  const agent_id = await createAgent(service, { config: CONFIG });
  const { status, body } = await post(service, '/api/chats', { agent_id, callback_url: 'no URL' });
  assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'callback_url']]);
  await start({ agent_id, callback_url: `${receiver.url}/erased`, metadata: { crm_id: 'C-18' } });
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  await pass(31_000);
  assert.deepEqual(at('/erased'), []);
  assert.deepEqual(await service.database.db.selectFrom('callbacks').select('id').execute(), []);
});

test('a chat ends with its agent: a message that no worker may answer is not to be sent again', async () => {
  const own = await served();
  const chat_id = await startChat(own);
  const { agent_id } = (await own.request('GET', `/api/chats/${chat_id}`, { user: USER })).body;
  assert.equal((await own.request('DELETE', `/api/agents/${agent_id}`, { user: USER })).status, 204);
  const sent = send(own, chat_id, 'Hello?');
  assert.deepEqual(await claim(own, { wait_s: 1 }), []);
  assertRefused(await sent, 503, 'turn_unanswered');
  assertRefused(await send(own, chat_id, 'Hello?'), 409, 'session_over');
  await own.close();
});

test('a chat that its user has ended gets no answer, not even if the task was not withdrawn', async () => {
  const own = await served();
  const chat_id = await startChat(own);
  const sent = send(own, chat_id, 'Hello?');
  const [task = assert.fail()] = await claim(own);
  // As a process leaves it that dies between the two.
  const ended = { status: 'COMPLETED', end_reason: 'hangup', ended_at: new Date() } as const;
  await own.database.db.updateTable('sessions').set(ended).where('id', '=', chat_id).execute();
  assertRefused(await complete(own, task, 'Good morning.'), 409, 'lease_lost');
  await post(own, `/api/chats/${chat_id}/end`);
  assertRefused(await sent, 503, 'turn_unanswered');
  await own.close();
});
