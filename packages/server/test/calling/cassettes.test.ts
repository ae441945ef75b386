import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { MAX_CASSETTE_BYTES } from '../../src/calling/scenarios/schema.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { claim, complete, library, PASSED, save, scenario, send, served, start } from '../support/tests.ts';

const CASSETTE = { format: 'switchboard.cassette/1', scenario: 'one', settings: [], exchanges: [{ key: 'a' }] };
const get = (service: Service, id: string, user = USER) =>
  send(service, 'GET', `/api/scenarios/${id}/cassette`, undefined, user);

/** Starts a run of a scenario, and claims its task. */
async function begin(service: Service, scenario_id: string, agent_id: string, fields: Json) {
  const run = await start(service, { agent_id, scenarios: [scenario_id], ...fields });
  const [task = assert.fail()] = await claim(service);
  return { run, task };
}

test('what a worker records of a scenario is kept, and is given to the worker that replays it', async () => {
  const service = await served();
  const agent_id = await library(service);
  const id = await save(service, scenario('one'));
  for (const unknown of [id, 'no-id']) assertRefused(await get(service, unknown), 404, 'not_found');
  const plain = await begin(service, id, agent_id, {});
  assert.deepEqual([plain.run.cassette, 'cassette' in plain.task.payload], ['passthrough', false]);
  // Nobody has asked for it.
  assert.equal((await complete(service, plain.task, { ...PASSED, cassette: CASSETTE })).status, 200);
  assertRefused(await get(service, id), 404, 'not_found');

  const replay = await begin(service, id, agent_id, { cassette: 'replay' });
  assert.deepEqual(replay.task.payload.cassette, { mode: 'replay', recorded: null });
  await complete(service, replay.task);
  const record = await begin(service, id, agent_id, { cassette: 'record' });
  assert.deepEqual([record.run.cassette, record.task.payload.cassette], ['record', { mode: 'record', recorded: null }]);
  for (const unfit of [{ x: 1 }, { exchanges: ['x'.repeat(MAX_CASSETTE_BYTES)] }])
    assert.equal((await complete(service, record.task, { ...PASSED, cassette: unfit })).status, 422);
  assert.equal((await complete(service, record.task, { ...PASSED, cassette: CASSETTE })).status, 200);
  const large = { ...CASSETTE, exchanges: ['x'.repeat(MAX_CASSETTE_BYTES - 200)] };
  const another = await begin(service, await save(service, scenario('two')), agent_id, { cassette: 'record' });
  assert.equal((await complete(service, another.task, { ...PASSED, cassette: large })).status, 200);
  const { body } = await get(service, id);
  assert.deepEqual(
    [body.scenario_id, body.agent_id, body.agent_version, body.exchanges, body.content],
    [id, agent_id, 1, 1, CASSETTE],
  );
  const again = await begin(service, id, agent_id, { cassette: 'replay' });
  assert.deepEqual(again.task.payload.cassette, { mode: 'replay', recorded: CASSETTE });
  // An agent of rules has no traffic: that takes nothing from what there is.
  await complete(service, again.task);
  const empty = await begin(service, id, agent_id, { cassette: 'record' });
  await complete(service, empty.task, { ...PASSED, cassette: { ...CASSETTE, exchanges: [] } });
  assert.deepEqual((await get(service, id)).body.content, CASSETTE);

  assertRefused(await get(service, id, 'other'), 404, 'not_found');
  const remove = (user = USER) => send(service, 'DELETE', `/api/scenarios/${id}/cassette`, undefined, user);
  assertRefused(await remove('other'), 404, 'not_found');
  assert.equal((await remove()).status, 204);
  assertRefused(await remove(), 404, 'not_found');
  const wrong = await send(service, 'POST', '/api/test-runs', {
    agent_id,
    agent_version: 1,
    scenarios: [id],
    cassette: 'x',
  });
  assert.deepEqual(problemsOf(wrong), ['body.cassette enum']);
});

test('what was recorded goes with its scenario, and with its user, and is counted', async () => {
  const service = await served();
  const agent_id = await library(service);
  const { db } = service.database;
  const stored = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select sum(bytes)::integer as bytes from stored_content where user_id = ${USER}`.execute(db);
    const { body } = await send(service, 'GET', `/api/quotas/${USER}`, undefined, null);
    assert.equal(body.stored_bytes, rows[0]?.bytes);
    return Number(body.stored_bytes);
  };
  const record = async (name: string) => {
    const id = await save(service, scenario(name));
    const { task } = await begin(service, id, agent_id, { cassette: 'record' });
    const before = await stored();
    const content = { ...CASSETTE, exchanges: [{ key: 'x'.repeat(1000) }] };
    assert.equal((await complete(service, task, { ...PASSED, cassette: content })).status, 200);
    assert.ok((await stored()) > before + 1000);
    return id;
  };
  const [one, two] = [await record('one'), await record('two')];
  assert.equal((await send(service, 'DELETE', `/api/scenarios/${one}`)).status, 204);
  assertRefused(await get(service, one), 404, 'not_found');
  assert.equal((await get(service, two)).status, 200);
  const count = async () => (await db.selectFrom('cassettes').select('id').execute()).length;
  assert.equal(await count(), 1);
  assert.equal((await send(service, 'DELETE', `/api/users/${USER}`, undefined, null)).status, 200);
  assert.equal(await count(), 0);
});
