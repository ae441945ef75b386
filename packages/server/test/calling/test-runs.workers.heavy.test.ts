import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { MAX_CONVERSATIONS, MAX_KEPT_BYTES, MAX_OPEN_RUNS } from '../../src/calling/test-runs/schema.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import {
  claim,
  complete,
  ended,
  fail,
  library,
  OPENS_AT,
  PASSED,
  resultsOf,
  save,
  saveSuite,
  scenario,
  send,
  served,
  start,
} from '../support/tests.ts';

/** A run of two scenarios that waits for workers. */
async function begin(service: Service, fields: Json = {}) {
  const agent_id = await library(service);
  const scenarios = [await save(service, scenario('one')), await save(service, scenario('two'))];
  return { agent_id, scenarios, run: await start(service, { agent_id, scenarios, ...fields }) };
}

const get = async (service: Service, { id }: Json) => (await send(service, 'GET', `/api/test-runs/${id}`)).body;
const cancel = (service: Service, { id }: Json, user = USER) =>
  send(service, 'POST', `/api/test-runs/${id}/cancel`, undefined, user);

test('workers claim a task for each scenario with all they need, and the last result ends the run', async () => {
  const service = await served();
  const { agent_id, run } = await begin(service, { runs: 4 });
  assert.deepEqual([run.status, run.is_simulated], ['queued', false]);
  const [one = assert.fail(), two = assert.fail()] = await claim(service);
  const { payload } = one;
  assert.deepEqual(
    [one.kind, payload.test_run_id, payload.user_id, payload.agent_id, payload.agent_version, payload.runs],
    ['scenario', run.id, USER, agent_id, 1, 4],
  );
  assert.deepEqual([payload.config, payload.scenario.expect], [OPENS_AT('ten'), [{ agent_says: 'ten' }]]);
  assert.equal((await get(service, run)).status, 'running');
  const unfit = (result: Json) => complete(service, one, result);
  assert.equal((await unfit(PASSED)).status, 422);
  assert.equal((await unfit({ passed: 4 })).status, 422);
  const { task_id, lease_token } = one;
  const events = { lease_token, events: [{ type: 'words', text: 'x' }] };
  assert.equal((await send(service, 'POST', `/api/worker/tasks/${task_id}/events`, events, null)).status, 422);
  const flaky = { ...PASSED, passed: 3, failed: 1, problems: ['failed: the agent says "ten" (not said)'] };
  assert.equal((await complete(service, one, flaky)).status, 200);
  assertRefused(await complete(service, one, flaky), 409, 'lease_lost');
  assert.equal((await get(service, run)).status, 'running');
  await complete(service, two, { ...PASSED, passed: 4 });
  const last = await get(service, run);
  assert.deepEqual([last.status, last.passed, last.failed], ['failed', 1, 1]);
  const [first = assert.fail(), second] = await resultsOf(service, run);
  assert.deepEqual([first.status, first.verdict, first.problems], ['failed', 'flaky', flaky.problems]);
  assert.equal(second?.status, 'passed');
  await service.close();
});

test('a scenario whose workers fail three times, or that cannot be run, has no result and says why', async () => {
  const service = await served();
  const { run } = await begin(service);
  const [one = assert.fail(), two = assert.fail()] = await claim(service);
  assert.equal((await fail(service, one, false)).status, 200);
  await fail(service, two, true);
  for (const attempt of [2, 3]) {
    const [task = assert.fail()] = await claim(service, { wait_s: 30 });
    assert.equal(task.attempt, attempt);
    await fail(service, task, true);
  }
  const last = await get(service, run);
  assert.deepEqual([last.status, last.invalid], ['invalid', 2]);
  const results = await resultsOf(service, run);
  assert.deepEqual(
    results.map(({ error, invalid, interval }) => [error, invalid, interval]),
    Array.from({ length: 2 }, () => ['no model', 1, { low: 0, high: 1 }]),
  );
  await service.close();
});

test('scenarios whose workers died, or whose agent was deleted, end without a result when they are claimed again', async () => {
  const service = await served();
  const { run, agent_id } = await begin(service);
  const { db } = service.database;
  const [one = assert.fail(), two = assert.fail()] = await claim(service);
  await complete(service, two);
  await sql`update work set leased_until = now() - interval '1 second', attempts = 3 where id = ${one.task_id}::uuid`.execute(
    db,
  );
  assert.deepEqual(await claim(service), []);
  assert.deepEqual(
    [(await get(service, run)).status, (await resultsOf(service, run))[0]?.error],
    ['invalid', 'No worker has finished it.'],
  );
  assertRefused(await complete(service, one), 409, 'lease_lost');
  const again = await start(service, { agent_id, scenarios: [await save(service, scenario('one'))] });
  assert.equal((await send(service, 'DELETE', `/api/agents/${agent_id}`)).status, 204);
  assert.deepEqual(await claim(service), []);
  assert.equal((await get(service, again)).status, 'invalid');
  await service.close();
});

test('a canceled run keeps its results and takes no more, whoever asks again', async () => {
  const service = await served();
  const { run } = await begin(service);
  const [one = assert.fail(), two = assert.fail()] = await claim(service);
  await complete(service, one);
  assertRefused(await cancel(service, run, 'other'), 404, 'not_found');
  const { status, body } = await cancel(service, run);
  assert.deepEqual([status, body.status, body.passed], [200, 'canceled', 1]);
  assertRefused(await complete(service, two), 409, 'lease_lost');
  assert.deepEqual(
    (await resultsOf(service, run)).map((result) => result.status),
    ['passed', 'canceled'],
  );
  assert.deepEqual((await cancel(service, run)).body, body);
  await service.close();
});

test('a run and its cancellation at the same time end it once', async () => {
  const service = await served();
  const { run } = await begin(service);
  const tasks = await claim(service);
  await Promise.all([...tasks.map((task) => complete(service, task)), cancel(service, run), cancel(service, run)]);
  const last = await get(service, run);
  const results = await resultsOf(service, run);
  const passed = results.filter(({ status }) => status === 'passed').length;
  assert.equal(last.passed, passed);
  assert.equal(last.status, passed === 2 ? 'passed' : 'canceled');
  assert.deepEqual(
    await service.database.db.selectFrom('work').select('id').where('kind', '=', 'scenario').execute(),
    [],
  );
  await service.close();
});

test('a user has up to three test runs that have not ended, each with up to 2,000 conversations', async () => {
  const service = await served();
  const { agent_id, scenarios } = await begin(service);
  for (let count = 1; count < MAX_OPEN_RUNS; count++) await start(service, { agent_id, scenarios });
  const more = () => send(service, 'POST', '/api/test-runs', { agent_id, agent_version: 1, scenarios });
  const refused = await more();
  assertRefused(refused, 429, 'too_many_test_runs');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const { items } = (await send(service, 'GET', '/api/test-runs')).body;
  for (const run of items) await cancel(service, run);
  const many: string[] = [];
  for (let count = 0; count < MAX_CONVERSATIONS / 100; count++) many.push(await save(service, scenario(`s${count}`)));
  const allowed = await start(service, { agent_id, scenarios: many, runs: 100 });
  assert.equal(allowed.scenarios, many.length);
  const all = { agent_id, agent_version: 1, scenarios: [...many, ...scenarios], runs: 100 };
  assert.equal((await send(service, 'POST', '/api/test-runs', all)).status, 422);
  await service.close();
});

test('up to 128 KiB of the conversations of a scenario are kept', async () => {
  const service = await served();
  const { run } = await begin(service);
  const [one = assert.fail()] = await claim(service);
  const turn = { at_ms: 0, heard: 'x', interrupted: false, words: '', calls: [], first_word_ms: null };
  const of = (length: number) => {
    const turns = [{ ...turn, words: 'x'.repeat(length) }];
    const rest = { end_reason: 'script_over', error: null, world: {}, cost: '0', duration_ms: 0 };
    return { ...PASSED, conversations: [{ status: 'passed', times: 1, checks: [], turns, ...rest }] };
  };
  const room = MAX_KEPT_BYTES - JSON.stringify(of(0).conversations).length;
  assert.equal((await complete(service, one, of(room + 1))).status, 422);
  assert.equal((await complete(service, one, of(room))).status, 200);
  assert.equal((await resultsOf(service, run))[0]?.conversations.length, 1);
  await service.close();
});

test('a run that no worker has held within a day is given up, and deleted with its results a month later', async () => {
  const clock = createTestClock();
  clock.set(new Date().toISOString());
  const { runScenario: _, ...media } = createSandboxMedia({ clock, ringMs: 20 });
  const service = await startService({ media, clock });
  const { run, scenarios } = await begin(service);
  await service.app.reconcile();
  assert.equal((await get(service, run)).status, 'queued');
  clock.advance(2 * DAY_MS);
  await service.app.reconcile();
  assert.deepEqual([(await get(service, run)).status, (await get(service, run)).invalid], ['invalid', 2]);
  assert.deepEqual(await claim(service), []);
  clock.advance(31 * DAY_MS);
  await service.app.reconcile();
  assertRefused(await send(service, 'GET', `/api/test-runs/${run.id}`), 404, 'not_found');
  assert.deepEqual(await service.database.db.selectFrom('test_results').select('id').execute(), []);
  assert.equal((await send(service, 'GET', `/api/scenarios/${scenarios[0]}`)).status, 200);
  await service.close();
});

test('scenarios, suites and results count as stored, are refused beyond the quota, and an erasure deletes them', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required', STORED_BYTES_PER_USER: '60000' } });
  const { db } = service.database;
  const keys = keysOf(service.database);
  const mine = await keys.create({ name: 'mine', role: 'user', user_id: USER });
  const root = await keys.create({ name: 'root', role: 'service' });
  const as = (key: string) =>
    ({
      ...service,
      request: (method: string, path: string, options = {}) =>
        service.request(method, path, { ...options, user: USER, headers: { authorization: `Bearer ${key}` } }),
    }) as Service;
  const [user, operator] = [as(mine.key), as(root.key)];
  const suite = await saveSuite(user, [await save(user, scenario('one')), await save(user, scenario('two'))]);
  await save(user, scenario('one', 'ten', `${' '.repeat(3_000)}`));
  await ended(user, await start(user, { agent_id: await library(user), suite }));
  const { rows } = await sql<{ bytes: number }>`
    select sum(bytes)::integer as bytes from stored_content where user_id = ${USER}`.execute(db);
  const { body } = await operator.request('GET', `/api/quotas/${USER}`);
  assert.equal(body.stored_bytes, rows[0]?.bytes);
  const open = await start(user, { agent_id: await library(user), suite });
  const text = (letter: string) => `${scenario(letter)}# ${letter.repeat(20_000)}`;
  const refusals: number[] = [];
  for (const letter of 'abcdef')
    refusals.push((await send(user, 'POST', '/api/scenarios', { text: text(letter) })).status);
  assert.ok(refusals.includes(403), `${refusals}`);
  assert.equal((await operator.request('DELETE', `/api/users/${USER}`)).status, 200);
  for (const table of ['scenarios', 'suites', 'test_runs', 'test_results'] as const)
    assert.deepEqual(await db.selectFrom(table).select('id').execute(), [], table);
  assert.deepEqual(await db.selectFrom('work').select('id').where('kind', '=', 'scenario').execute(), [], open.id);
  await service.close();
});

test('with a base version, a scenario has regressed only if it is certainly worse, and is flaky otherwise', async () => {
  const service = await served();
  const agent_id = await library(service);
  await send(service, 'PATCH', `/api/agents/${agent_id}`, { config: OPENS_AT('nine') });
  const scenarios = [await save(service, scenario('one'))];
  /** Runs the scenario as often as it passes and fails, and returns its result. */
  const held = async (agent_version: number, passed: number, failed: number, fields: Json = {}) => {
    const run = await start(service, { agent_id, agent_version, scenarios, runs: passed + failed, ...fields });
    const [task = assert.fail()] = await claim(service);
    assert.equal((await complete(service, task, { ...PASSED, passed, failed })).status, 200);
    const [result = assert.fail()] = await resultsOf(service, run);
    return { base: result.base, verdict: result.verdict, base_version: run.base_version };
  };
  const base_version = 1;
  // Nothing is known of the base yet: as without one.
  assert.deepEqual(await held(2, 1, 3, { base_version }), { base: null, verdict: 'flaky', base_version });
  await held(1, 4, 0);
  const base = { passed: 4, failed: 0 };
  assert.deepEqual(await held(2, 0, 4, { base_version }), { base, verdict: 'regressed', base_version });
  // One failure in one run tells nothing: without the base it would have regressed.
  assert.deepEqual(await held(2, 0, 1, { base_version }), { base, verdict: 'flaky', base_version });
  assert.deepEqual(await held(2, 0, 1), { base: null, verdict: 'regressed', base_version: null });
  assert.deepEqual(await held(2, 4, 0, { base_version }), { base, verdict: 'passed', base_version });
  // The newest result counts, of the scenario as it is now.
  await held(1, 2, 2);
  assert.deepEqual((await held(2, 0, 4, { base_version })).base, { passed: 2, failed: 2 });
  await save(service, scenario('one', 'ten', 'critical: true'));
  assert.deepEqual(await held(2, 3, 1, { base_version }), { base: null, verdict: 'regressed', base_version });
  await held(1, 3, 0);
  await save(service, scenario('one'));
  assert.deepEqual((await held(2, 0, 4, { base_version })).base, { passed: 2, failed: 2 }, 'of an earlier text again');
  const unknown = await send(service, 'POST', '/api/test-runs', {
    agent_id,
    agent_version: 1,
    scenarios,
    base_version: 9,
  });
  assert.deepEqual(problemsOf(unknown), ['body.base_version value_error']);
  await service.close();
});
