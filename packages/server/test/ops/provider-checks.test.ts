import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { post, served } from '../support/chats.ts';

const ASKED = { kind: 'tts', provider: 'cartesia', model: 'sonic-3', voice: 'v' };
const OK = { outcome: 'ok', reason: null, detail: null, latency_ms: 412.5, worker: 'worker-0:8081' };
const FAILED = { ...OK, outcome: 'failed', reason: 'refused_key', detail: '401 no', latency_ms: null };

const check = (service: Service, body: Json = ASKED) => post(service, '/api/providers/check', body, null);
const claim = async (service: Service): Promise<Json> => {
  const { body } = await post(service, '/api/worker/tasks/claim', { kind: 'provider_check', wait_s: 30 }, null);
  return body.tasks[0] ?? assert.fail('no task');
};
const complete = (service: Service, { task_id, lease_token }: Json, result: Json) =>
  post(service, `/api/worker/tasks/${task_id}/complete`, { lease_token, result }, null);
const left = async ({ database: { db } }: Service) => [
  ...(await db.selectFrom('provider_checks').selectAll().execute()),
  ...(await db.selectFrom('work').selectAll().where('kind', '=', 'provider_check').execute()),
];

test('a worker is asked for the model, and its result is the response; nothing of it is kept', async () => {
  const service = await served();
  for (const result of [OK, FAILED]) {
    const answered = check(service);
    const task = await claim(service);
    assert.deepEqual([task.kind, task.payload], ['provider_check', ASKED]);
    assert.equal((await complete(service, task, { ...result, outcome: 'perhaps' })).status, 422);
    assert.equal((await complete(service, task, result)).status, 200);
    const { status, body } = await answered;
    assert.deepEqual([status, body], [200, { ...result, is_simulated: false }]);
  }
  assert.deepEqual(await left(service), []);
  await service.close();
});

test('a worker that gives a check up ends the wait with what it says', async () => {
  const service = await served();
  for (const [said, detail] of [
    [{}, 'no memory'],
    [{ detail: 'The worker has no memory left.' }, 'The worker has no memory left.'],
  ] as const) {
    const answered = check(service);
    const { task_id, lease_token } = await claim(service);
    // Another attempt may succeed, but there is none: somebody waits.
    const failure = { lease_token, error: 'no memory', retryable: true, ...said };
    assert.equal((await post(service, `/api/worker/tasks/${task_id}/fail`, failure, null)).status, 200);
    const { status, body } = await answered;
    const failed = { outcome: 'failed', reason: 'error', detail, latency_ms: null, worker: 'unknown' };
    assert.deepEqual([status, body], [200, { ...failed, is_simulated: false }]);
  }
  assert.deepEqual(await left(service), []);
  await service.close();
});

test('without a worker it is a 503 that says so, and no worker gets the check later', async () => {
  const service = await served();
  assertRefused(await check(service), 503, 'no_worker');
  assert.deepEqual(await left(service), []);
  await service.close();
});

test('a service that stops lets go of whoever waits', async () => {
  const service = await served();
  const answered = check(service);
  const task = await claim(service);
  const closed = service.close();
  assert.equal((await answered).status, 503);
  await closed;
  assert.ok(task);
});

test('the sandbox answers by itself, and says that it is simulated', async () => {
  const service = await startService();
  const { status, body } = await check(service);
  assert.deepEqual([status, body.outcome, body.is_simulated], [200, 'ok', true]);
  assert.match(body.detail, /no provider was asked/);
  await service.close();
});

test('a provider without models of the kind is a 422 that names those with some', async () => {
  const service = await startService();
  const refused = await check(service, { kind: 'realtime', provider: 'mistral' });
  assert.equal(refused.status, 422);
  assert.deepEqual(problemsOf(refused), ['body.provider enum']);
  assert.match(refused.body.detail[0].msg, /openai, google/);
  for (const wrong of [{ kind: 'eyes' }, { kind: 'llm', base_url: 'x' }, { kind: 'llm', temperature: 1 }, {}])
    assert.equal((await check(service, wrong)).status, 422, JSON.stringify(wrong));
  await service.close();
});

test('a check of a process that has died is deleted a day later', async () => {
  const service = await served();
  const { db } = service.database;
  const id = '01900000-0000-7000-8000-000000000000';
  await db
    .insertInto('provider_checks')
    .values({ id, asked: JSON.stringify(ASKED) })
    .execute();
  await service.app.reconcile();
  const rows = () => db.selectFrom('provider_checks').selectAll().execute();
  await eventually(rows, (found) => found.length === 0);
  await service.close();
});
