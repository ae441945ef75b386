import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { Webhook } from 'standardwebhooks';
import { allPages, assertRefused, problemsOf } from '../support/answers.ts';

const receiver = await startReceiver();
const { url: base, at } = receiver;
const service = await startService({ env: { CALLS_PER_SECOND: '100' } });
const send = (method: string, path: string, body?: object, user = USER) =>
  service.request(method, path, { user, ...(body && { body }) });
const types = (path: string): string[] => at(path).map(({ body }) => JSON.parse(body).type);
const got = (path: string, count: number) =>
  eventually(
    async () => types(path),
    (requests) => requests.length >= count,
  );
const list = async (user = USER) => (await send('GET', '/api/callbacks?limit=100', undefined, user)).body.items;

async function endpoint(body: object, user = USER) {
  const answer = await send('POST', '/api/webhook-endpoints', body, user);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

/** Ends the user's endpoints, so that each test has its own. */
async function clear(user = USER): Promise<void> {
  for (const { id } of (await send('GET', '/api/webhook-endpoints', undefined, user)).body.items)
    assert.equal((await send('DELETE', `/api/webhook-endpoints/${id}`, undefined, user)).status, 204);
}

test('an endpoint is created, shown, listed, changed and deleted, each written to the audit log', async () => {
  const { id, created_at, updated_at, ...shown } = await endpoint({ url: `${base}/crud` });
  assert.deepEqual(shown, { user_id: USER, url: `${base}/crud`, events: null, is_active: true, disabled_at: null });
  const path = `/api/webhook-endpoints/${id}`;
  assert.deepEqual((await send('GET', path)).body, { id, created_at, updated_at, ...shown });
  const second = await endpoint({ url: `${base}/crud`, events: ['call.answered'], is_active: false });
  assert.deepEqual(
    (await allPages(service, '/api/webhook-endpoints', 1, { user: USER })).map((item) => item.id),
    [second.id, id],
  );
  const { body } = await send('PATCH', path, { events: ['call.completed', 'call.failed'] });
  assert.deepEqual([body.events, body.url, body.is_active], [['call.completed', 'call.failed'], shown.url, true]);
  assert.equal((await send('PATCH', path, { events: null })).body.events, null);
  await clear();
  assert.equal((await send('GET', path)).status, 404);
  const { items } = (await service.request('GET', '/api/audit')).body;
  const actions = items.filter(({ target }: { target: string }) => target === `webhook_endpoint/${id}`);
  assert.deepEqual(actions.map(({ action }: { action: string }) => action).sort(), [
    'webhook_endpoint.created',
    'webhook_endpoint.deleted',
    'webhook_endpoint.updated',
    'webhook_endpoint.updated',
  ]);
});

test('an invalid endpoint is a 422, and another user’s is a 404', async () => {
  for (const [body, expected] of [
    [{}, ['body.url missing']],
    [{ url: 'ftp://x/' }, ['body.url url_parsing']],
    [{ url: `${base}/x`, events: ['call.ringing'] }, ['body.events.0 enum']],
    [{ url: `${base}/x`, events: [] }, ['body.events too_short']],
    [{ url: `${base}/x`, secret: 'x' }, ['body.secret extra_forbidden']],
  ] as const)
    assert.deepEqual(problemsOf(await send('POST', '/api/webhook-endpoints', body)), expected);
  const { id } = await endpoint({ url: `${base}/foreign` });
  for (const method of ['GET', 'PATCH', 'DELETE'])
    for (const one of [id, 'x', '01980000-0000-7000-8000-000000000001'])
      assert.equal(
        (await send(method, `/api/webhook-endpoints/${one}`, method === 'PATCH' ? {} : undefined, 'other')).status,
        404,
      );
  await clear();
});

test('an endpoint gets each change of every call of its user, signed; inbound calls and those without callback_url too', async () => {
  await endpoint({ url: `${base}/all` });
  await placeCall(service, '+15005550005');
  assert.deepEqual((await got('/all', 2)).sort(), ['call.answered', 'call.completed']);
  const { secret } = (await send('GET', '/api/callbacks/secret')).body;
  for (const { headers, body } of at('/all')) new Webhook(secret).verify(body, headers);
  const agent_id = await createAgent(service);
  await send('POST', '/api/telephony/numbers/assign', { agent_id, phone_number: '+15005550010' });
  assert.ok(service.media.callIn('+15005550010', '+15005550144'));
  await eventually(
    async () => (await send('GET', '/api/calls/?call_direction=INBOUND')).body.items[0],
    (call) => call !== undefined,
  );
  const { call_id } = (await send('GET', '/api/calls/?call_direction=INBOUND')).body.items[0];
  await send('POST', `/api/calls/${call_id}/end`);
  await eventually(
    async () => at('/all').map(({ body }) => JSON.parse(body).data),
    (requests) => requests.some((data) => data.caller_number === '+15005550144' && data.agent_id === agent_id),
  );
  await placeCall(service, '+15005550005', { agent_id: await createAgent(service, { user_id: USER }) });
  await clear();
});

test('an endpoint gets the types that it names, and transfers; another user’s calls are none of its', async () => {
  await endpoint({ url: `${base}/some`, events: ['call.failed', 'call.transferred'] });
  const { call_id } = await answeredCall(service);
  await send('POST', `/api/sessions/${call_id}/transfer`, { phone_number: '+15005550101' });
  await placeCall(service, '+15005550001');
  const agent_id = await createAgent(service, { user_id: 'stranger' });
  await send('POST', '/api/calls/outbound', { agent_id, phone_number: '+15005550001' }, 'stranger');
  assert.deepEqual((await got('/some', 2)).sort(), ['call.failed', 'call.transferred']);
  const strangers = await send('GET', '/api/calls/', undefined, 'stranger');
  await reaches(service, strangers.body.items[0].call_id, 'FAILED');
  assert.deepEqual(await list('stranger'), []);
  await clear();
});

test('an event goes once to each destination: the same address twice gets it twice, with ids of their own', async () => {
  const url = `${base}/twice`;
  const { id } = await endpoint({ url, events: ['call.failed'] });
  const { call_id } = await placeCall(service, '+15005550001', { callback_url: url });
  await got('/twice', 2);
  const items = (await list()).filter((item: { call_id: string }) => item.call_id === call_id);
  assert.deepEqual(items.map((item: { endpoint_id: string | null }) => item.endpoint_id).sort(), [id, null].sort());
  assert.equal(new Set(at('/twice').map(({ headers }) => headers['webhook-id'])).size, 2);
  assert.deepEqual([...new Set(at('/twice').map(({ body }) => body))].length, 1);
  await clear();
});

test('an inactive endpoint gets nothing; pending callbacks of one that is deactivated or deleted are given up', async () => {
  receiver.answerWith = (path) => (path === '/down' ? 500 : 204);
  const { id } = await endpoint({ url: `${base}/down` });
  await placeCall(service, '+15005550001');
  await got('/down', 1);
  await send('PATCH', `/api/webhook-endpoints/${id}`, { is_active: false });
  const [waiting] = (await list()).filter((item: { url: string }) => item.url === `${base}/down`);
  assert.deepEqual([waiting.status, waiting.next_attempt_at], ['failed', null]);
  const { call_id } = await placeCall(service, '+15005550001');
  await reaches(service, call_id, 'FAILED');
  assert.deepEqual((await send('GET', `/api/callbacks?call_id=${call_id}`)).body.items, []);
  await clear();
});

test('pending callbacks go to the new address of an endpoint, and 410 disables it until it is updated', async () => {
  receiver.answerWith = (path) => (path === '/old' ? 500 : path === '/gone' ? 410 : 204);
  const { id } = await endpoint({ url: `${base}/old` });
  const path = `/api/webhook-endpoints/${id}`;
  await placeCall(service, '+15005550001');
  await got('/old', 1);
  const waiting = await eventually(
    async () => (await list()).find((item: { url: string }) => item.url === `${base}/old`),
    (item) => item?.attempts.length === 1,
  );
  await send('PATCH', path, { url: `${base}/new` });
  await send('POST', `/api/callbacks/${waiting.id}/redeliver`);
  await got('/new', 1);
  await send('PATCH', path, { url: `${base}/gone` });
  await placeCall(service, '+15005550001');
  await eventually(
    async () => (await send('GET', path)).body,
    (shown) => shown.disabled_at !== null,
  );
  assert.equal((await send('PATCH', path, { is_active: true })).body.disabled_at, null);
  await clear();
});

test('a user has twenty endpoints at most, of many made at once too', async () => {
  const user = 'collector';
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, index) =>
      send('POST', '/api/webhook-endpoints', { url: `https://h${index}.example.com/` }, user),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 5);
  for (const answer of refused) assertRefused(answer, 409, 'too_many_webhook_endpoints');
  await clear(user);
  await endpoint({ url: `${base}/again` }, user);
});

test('a user has five endpoints on one host at most, whatever their ports and paths; an event is sent to each', async () => {
  const user = 'amplifier';
  const add = (url: string) => send('POST', '/api/webhook-endpoints', { url }, user);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      add(`https://${index % 2 ? 'victim' : 'VICTIM'}.example:${8000 + index}/${index}`),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 15);
  for (const answer of refused) assertRefused(answer, 409, 'too_many_webhook_endpoints');
  const { id } = (await add('https://other.example/')).body;
  const change = (url: string) => send('PATCH', `/api/webhook-endpoints/${id}`, { url }, user);
  assertRefused(await change('https://victim.example./'), 409, 'too_many_webhook_endpoints');
  assert.equal((await change('https://other.example/hooks')).status, 200);
  await clear(user);
});

test('the callback URL of an agent holds for its calls that have none of their own', async () => {
  const agent_id = await createAgent(service);
  const path = `/api/agents/${agent_id}/callback-url`;
  assert.deepEqual((await send('GET', path)).body, { agent_id, callback_url: null });
  const callback_url = `${base}/agent`;
  assert.deepEqual((await send('PUT', path, { callback_url })).body, { agent_id, callback_url });
  assert.deepEqual((await send('GET', path)).body, { agent_id, callback_url });
  await placeCall(service, '+15005550001', { agent_id });
  assert.deepEqual(await got('/agent', 1), ['call.failed']);
  await placeCall(service, '+15005550001', { agent_id, callback_url: `${base}/own` });
  assert.deepEqual(await got('/own', 1), ['call.failed']);
  assert.equal(types('/agent').length, 1);
  await send('PUT', path, { callback_url: null });
  const { call_id } = await placeCall(service, '+15005550001', { agent_id });
  await reaches(service, call_id, 'FAILED');
  assert.deepEqual((await send('GET', `/api/callbacks?call_id=${call_id}`)).body.items, []);
  assert.deepEqual(problemsOf(await send('PUT', path, { callback_url: 'x' })), ['body.callback_url url_parsing']);
  assert.equal((await send('GET', path, undefined, 'other')).status, 404);
});

test('an erasure takes endpoints and callback URLs of agents, and leaves those of others', async () => {
  const [agent_id, kept] = [await createAgent(service, { user_id: 'eve' }), await endpoint({ url: `${base}/kept` })];
  await send('PUT', `/api/agents/${agent_id}/callback-url`, { callback_url: `${base}/eve` }, 'eve');
  await endpoint({ url: `${base}/eve` }, 'eve');
  assert.equal((await service.request('DELETE', '/api/users/eve')).status, 200);
  const { db } = service.database;
  const endpoints = await db.selectFrom('webhook_endpoints').select('id').where('user_id', '!=', 'collector').execute();
  assert.deepEqual(endpoints, [{ id: kept.id }]);
  const urls = await db.selectFrom('agents').select('callback_url').where('callback_url', 'is not', null).execute();
  assert.deepEqual(urls, []);
  await clear();
});
