import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { newId } from '../../src/lib/ids.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { post, served } from '../support/chats.ts';

const FUNCTION = { name: 'find', description: 'Finds.', url: 'https://example.com/{{tenant}}' };
const ASKED = { function: FUNCTION, arguments: { day: 'Monday' }, variables: { tenant: 'acme' } };
const REQUEST = { method: 'POST', url: 'https://example.com/acme', headers: [{ name: 'x', value: 'y' }], body: '{}' };
const RESPONSE = { status: 200, headers: [], body: '"ok"', is_cut: false };
const OK = {
  outcome: 'ok',
  reason: null,
  detail: null,
  request: REQUEST,
  response: RESPONSE,
  latency_ms: 8,
  worker: 'w',
};

const check = (service: Service, agent_id: string, body: Json = ASKED, user = USER) =>
  post(service, `/api/agents/${agent_id}/functions/check`, body, user);
const claim = async (service: Service): Promise<Json> => {
  const { body } = await post(service, '/api/worker/tasks/claim', { kind: 'function_check', wait_s: 30 }, null);
  return body.tasks[0] ?? assert.fail('no task');
};
const end = (service: Service, { task_id, lease_token }: Json, how: string, what: Json) =>
  post(service, `/api/worker/tasks/${task_id}/${how}`, { lease_token, ...what }, null);

test('a worker gets the function with the agent and its user, and its result is the response; nothing is kept', async () => {
  const service = await served();
  const agent_id = await createAgent(service);
  const answered = check(service, agent_id);
  const task = await claim(service);
  assert.deepEqual([task.kind, task.payload], ['function_check', { ...ASKED, agent_id, user_id: USER }]);
  assert.equal((await end(service, task, 'complete', { result: { ...OK, reason: 'perhaps' } })).status, 422);
  assert.equal((await end(service, task, 'complete', { result: OK })).status, 200);
  const { status, body } = await answered;
  assert.deepEqual([status, body], [200, { ...OK, is_simulated: false }]);
  const { db } = service.database;
  assert.deepEqual(await db.selectFrom('provider_checks').selectAll().execute(), []);
  assert.deepEqual(await db.selectFrom('work').selectAll().where('kind', '=', 'function_check').execute(), []);
  await service.close();
});

test('a worker that gives a try up ends the wait; without a worker it is a 503', async () => {
  const service = await served();
  const agent_id = await createAgent(service);
  const answered = check(service, agent_id);
  await end(service, await claim(service), 'fail', { error: 'no memory', retryable: true });
  assert.partialDeepStrictEqual((await answered).body, { outcome: 'failed', detail: 'no memory', request: null });
  assertRefused(await check(service, agent_id), 503, 'no_worker');
  await service.close();
});

test('what a killed process has left of a function check goes with its user, and of no other', async () => {
  const service = await served();
  const { db } = service.database;
  const of = (user_id: string) => ({ id: newId(), asked: JSON.stringify({ ...ASKED, user_id }) });
  const other = of('another');
  await db
    .insertInto('provider_checks')
    .values([of(USER), other])
    .execute();
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  const left = await db.selectFrom('provider_checks').select('id').execute();
  assert.deepEqual(left, [{ id: other.id }]);
  await service.close();
});

test('an erasure of the user ends the wait for a worker', async () => {
  const service = await served();
  const answered = check(service, await createAgent(service));
  await claim(service);
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  assertRefused(await answered, 503, 'no_worker');
  await service.close();
});

test('a worker that claims models gets no functions', async () => {
  const service = await served();
  const answered = check(service, await createAgent(service));
  const { body } = await post(service, '/api/worker/tasks/claim', { kind: 'provider_check' }, null);
  assert.deepEqual(body.tasks, []);
  await end(service, await claim(service), 'complete', { result: OK });
  assert.equal((await answered).status, 200);
  await service.close();
});

test('the sandbox shows the request and says that it was not sent', async () => {
  const service = await startService();
  const agent_id = await createAgent(service);
  const body = { ...ASKED, function: { ...FUNCTION, headers: { Authorization: 'Bearer of {{tenant}}' } } };
  const shown = (await check(service, agent_id, body)).body;
  assert.partialDeepStrictEqual(shown, { outcome: 'ok', response: null, is_simulated: true, worker: 'sandbox' });
  assert.deepEqual([shown.request.method, shown.request.url], ['POST', 'https://example.com/acme']);
  assert.partialDeepStrictEqual(JSON.parse(shown.request.body), {
    arguments: { day: 'Monday' },
    session_id: null,
    agent_id,
  });
  const headers = Object.fromEntries(shown.request.headers.map(({ name, value }: Json) => [name, value]));
  assert.deepEqual([headers.authorization, headers['webhook-signature']], ['••••', '••••']);
  const broken = await check(service, agent_id, { function: { ...FUNCTION, body: '{' } });
  assert.partialDeepStrictEqual(broken.body, { outcome: 'failed', reason: 'wrong_config', request: null });
  await service.close();
});

test('a function of an agent that is not the caller’s is a 404, and one that is described wrongly a 422', async () => {
  const service = await startService();
  const agent_id = await createAgent(service);
  assertRefused(await check(service, agent_id, ASKED, 'another'), 404, 'not_found');
  const wrong = await check(service, agent_id, { function: { ...FUNCTION, url: 'ftp://x', method: 'HEAD' } });
  assert.deepEqual(problemsOf(wrong), ['body.function.method enum', 'body.function.url string_pattern_mismatch']);
  await service.close();
});

test('templates of functions name variables of the call, and their mistakes are found', async () => {
  const service = await startService();
  const functions = [
    {
      ...FUNCTION,
      headers: { 'x-of': '{{first_name}}' },
      body: '{"day": {{day}}}',
      parameters: { type: 'object', properties: { day: { type: 'string' } } },
    },
  ];
  const validate = async (list: Json[]) =>
    (await post(service, '/api/schemas/agent-config/validate', { config: { tools: { functions: list } } })).body;
  assert.deepEqual(await validate(functions), { valid: true, problems: [], variables: ['first_name', 'tenant'] });
  const { problems } = await validate([
    { ...FUNCTION, url: 'https://{{host}}/' },
    { ...FUNCTION, headers: { 'content-length': '1' } },
    { ...FUNCTION, body: '{"day": "{{day}"' },
  ]);
  const places = problems.map(({ loc }: Json) => loc.slice(2).join('.'));
  assert.deepEqual(places, ['functions.0.url', 'functions.1.headers.content-length', 'functions.2.body']);
  await service.close();
});
