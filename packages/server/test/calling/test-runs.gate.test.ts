import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';
import {
  claim,
  complete,
  ended,
  fail,
  library,
  OPENS_AT,
  PASSED,
  save,
  saveSuite,
  scenario,
  send,
  served,
  start,
} from '../support/tests.ts';
import { versionsOf } from '../support/versions.ts';

test('versions are released through a gate once the newest run of its suite has passed for each of them', async () => {
  const service = await served();
  const agent_id = await library(service);
  const { made } = versionsOf(service, agent_id, USER);
  const gate = await saveSuite(service, [await save(service, scenario('opens'))]);
  const two = await made(OPENS_AT('eleven'));
  const put = (fields: object = {}) =>
    send(service, 'PUT', `/api/agents/${agent_id}/release`, {
      arms: [
        { version: 1, weight: 50 },
        { version: two, weight: 50 },
      ],
      gate,
      ...fields,
    });
  const run = async (version: number, passes: boolean) => {
    const begun = await start(service, { agent_id, agent_version: version, suite: gate });
    const [task = assert.fail()] = await claim(service);
    await (passes ? complete(service, task) : fail(service, task, false));
    return begun.id as string;
  };
  const refusal = async (pattern: RegExp, test_run_id?: string) => {
    const refused = await put();
    assertRefused(refused, 409, 'gate_not_passed');
    assert.match(refused.body.detail, pattern);
    assert.equal(refused.body.test_run_id, test_run_id);
  };
  await refusal(/Version 1 has not passed the suite: no test run/);
  await run(1, true);
  await refusal(new RegExp(`Version ${two} has not passed`));
  const failed = await run(two, false);
  await refusal(new RegExp(`/api/test-runs/${failed} is invalid`), failed);
  await run(two, true);
  const waiting = await start(service, { agent_id, agent_version: two, suite: gate });
  await refusal(new RegExp(`/api/test-runs/${waiting.id} is queued`), waiting.id);
  await send(service, 'POST', `/api/test-runs/${waiting.id}/cancel`);
  const { status, body } = await put();
  assert.deepEqual([status, body.gate, body.arms.length], [200, gate, 2]);
  assert.equal((await put()).body.number, body.number);
  await service.close();
});

test('a suite that has changed since its run opens no gate, a rollback asks for none, and other gates are refused', async () => {
  const service = await served();
  const agent_id = await library(service);
  const { made } = versionsOf(service, agent_id, USER);
  const opens = await save(service, scenario('opens'));
  const gate = await saveSuite(service, [opens]);
  const version = await made(OPENS_AT('eleven'));
  const pass = async () => {
    await start(service, { agent_id, agent_version: version, suite: gate });
    const [task = assert.fail()] = await claim(service);
    await complete(service, task);
  };
  const put = (suite: string | null, chosen = version) =>
    send(service, 'PUT', `/api/agents/${agent_id}/release`, { arms: [{ version: chosen, weight: 100 }], gate: suite });
  await pass();
  await save(service, scenario('opens', 'eleven'));
  assertRefused(await put(gate), 409, 'gate_not_passed');
  await pass();
  assert.equal(await saveSuite(service, [opens]), gate);
  assert.equal((await put(gate)).status, 200, 'the suite was saved as it was');
  const { items } = (await send(service, 'GET', `/api/agents/${agent_id}/releases`)).body;
  assert.deepEqual([items[0].gate, items[1].gate], [gate, null]);
  await put(null, 1);
  await save(service, scenario('opens', 'noon'));
  const back = await send(service, 'POST', `/api/agents/${agent_id}/rollback`);
  assert.deepEqual([back.status, back.body.arms[0].version, back.body.gate], [200, version, gate]);
  const others = (await send(service, 'POST', '/api/scenarios', { text: scenario('x') }, 'other')).body.id;
  const theirs = (await send(service, 'POST', '/api/suites', { name: 'x', scenarios: [others] }, 'other')).body.id;
  for (const suite of [theirs, opens, 'smoke']) {
    const { status, body } = await put(suite, 1);
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'gate']]);
  }
  await service.close();
});

test('only a run that asked models, as often as its scenarios say, opens a gate; one that failed closes it', async () => {
  const service = await served();
  const agent_id = await library(service);
  const gate = await saveSuite(service, [
    await save(service, scenario('thrice', 'ten', 'runs: 3\n')),
    await save(service, scenario('once')),
  ]);
  const release = (suite: string | null) =>
    send(service, 'PUT', `/api/agents/${agent_id}/release`, { arms: [{ version: 1, weight: 100 }], gate: suite });
  const put = async () => {
    // The same release again would ask for no tests.
    await release(null);
    return release(gate);
  };
  const run = async (passes: boolean, fields: object = {}) => {
    const { id } = await start(service, { agent_id, agent_version: 1, suite: gate, ...fields });
    for (const task of await claim(service)) {
      const { runs } = task.payload;
      const counts = passes ? { passed: runs } : { passed: runs - 1, failed: 1 };
      assert.equal((await complete(service, task, { ...PASSED, ...counts })).status, 200);
    }
    return id as string;
  };
  const refused = async (pattern: RegExp, test_run_id: string) => {
    const answer = await put();
    assertRefused(answer, 409, 'gate_not_passed');
    assert.match(answer.body.detail, pattern);
    assert.equal(answer.body.test_run_id, test_run_id);
  };
  await refused(/had fewer runs than a scenario asks for/, await run(true, { runs: 2 }));
  await refused(/has replayed recorded answers/, await run(true, { cassette: 'replay' }));
  const { db } = service.database;
  const isSimulated = (id: string) =>
    db.updateTable('test_runs').set({ is_simulated: true }).where('id', '=', id).execute();
  const simulated = await run(true);
  await isSimulated(simulated);
  await refused(/is of a sandbox/, simulated);

  await run(true, { runs: 3 });
  for (const less of [{ runs: 1 }, { cassette: 'replay' }]) {
    await run(true, less);
    assert.equal((await put()).status, 200);
    const waiting = await start(service, { agent_id, agent_version: 1, suite: gate, ...less });
    assert.equal((await put()).status, 200, 'it waits');
    for (const task of await claim(service)) await fail(service, task, false);
    assert.equal((await send(service, 'GET', `/api/test-runs/${waiting.id}`)).body.status, 'invalid');
    assert.equal((await put()).status, 200, 'it is invalid');
  }
  await run(false, { cassette: 'replay' });
  assert.equal((await put()).status, 200, 'other words were recorded');
  await isSimulated(await run(false));
  assert.equal((await put()).status, 200, 'no model was asked');
  await refused(/is failed/, await run(false, { runs: 1 }));
  await run(true, { cassette: 'record' });
  assert.equal((await put()).status, 200);
  const shown = (await send(service, 'GET', `/api/test-runs/${simulated}`)).body;
  assert.equal('is_short' in shown, false);
  await service.close();
});

test('a suite of more conversations than one test run may have is no gate', async () => {
  const service = await served();
  const agent_id = await library(service);
  const first = await save(service, scenario('first', 'ten', 'runs: 100\n'));
  const { rows } = await sql<{ id: string }>`
    insert into scenarios (id, user_id, name, text, content, created_at, updated_at)
    select gen_random_uuid(), user_id, name || copy, text, content, created_at, updated_at
    from scenarios, generate_series(2, 20) as copy where id = ${first} returning id`.execute(service.database.db);
  const ids = [first, ...rows.map(({ id }) => id)];
  const release = async (gate: string) =>
    send(service, 'PUT', `/api/agents/${agent_id}/release`, { arms: [{ version: 1, weight: 100 }], gate });
  const most = await saveSuite(service, ids, 'most');
  assertRefused(await release(most), 409, 'gate_not_passed');
  const more = await saveSuite(service, [...ids, await save(service, scenario('one more'))], 'more');
  const { status, body } = await release(more);
  assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'gate']]);
  assert.match(body.detail[0].msg, /at most 2000 conversations, not 2001/);
  await service.close();
});

test('in a sandbox a gate is opened by rules', async () => {
  const service = await startService();
  const agent_id = await library(service);
  const gate = await saveSuite(service, [await save(service, scenario('opens'))]);
  const run = await ended(service, await start(service, { agent_id, agent_version: 1, suite: gate }));
  assert.deepEqual([run.status, run.is_simulated], ['passed', true]);
  const put = { arms: [{ version: 1, weight: 100 }], gate };
  assert.equal((await send(service, 'PUT', `/api/agents/${agent_id}/release`, put)).status, 200);
  await service.close();
});
