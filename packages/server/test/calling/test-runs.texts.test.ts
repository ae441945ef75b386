import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused } from '../support/answers.ts';
import { ended, library, resultsOf, save, saveSuite, scenario, send, start } from '../support/tests.ts';

const service = await startService();
after(() => service.close());
const agent_id = await library(service);
const run = (fields: Json) => send(service, 'POST', '/api/test-runs', { agent_id, agent_version: 1, ...fields });

test('texts are run in their order and saved nowhere: a scenario of the same name stays, and no gate opens', async () => {
  const suite = await saveSuite(service, [await save(service, scenario('opens', 'nine'))]);
  const texts = [scenario('opens', 'ten', 'runs: 2\n'), scenario('wrong hour', 'noon'), scenario('opens')];
  const begun = await start(service, { agent_id, texts });
  assert.deepEqual([begun.suite, begun.scenarios], [null, 3]);
  const finished = await ended(service, begun);
  assert.deepEqual([finished.status, finished.passed, finished.failed], ['failed', 2, 1]);
  const results = await resultsOf(service, finished);
  assert.deepEqual(
    results.map(({ name, status, runs, scenario_id, replay }) => [name, status, runs, scenario_id, replay]),
    [
      ['opens', 'passed', 2, null, null],
      ['wrong hour', 'failed', 1, null, null],
      ['opens', 'passed', 1, null, null],
    ],
  );
  const { items } = (await send(service, 'GET', '/api/scenarios')).body;
  assert.equal(items.length, 1);
  assert.match((await send(service, 'GET', `/api/scenarios/${items[0].id}`)).body.text, /nine/);
  const release = { arms: [{ version: 1, weight: 100 }], gate: suite };
  assertRefused(await send(service, 'PUT', `/api/agents/${agent_id}/release`, release), 409, 'gate_not_passed');
});

test('every mistake of every text is told, with its line and column, and nothing is run', async () => {
  const before = (await send(service, 'GET', '/api/test-runs')).body.items.length;
  const wrong = 'scenario: w\ncaller: {}\nexpect: [{ says: x }]\n';
  const { status, body } = await run({ texts: [scenario('right'), wrong, ': :'] });
  assert.equal(status, 422);
  assert.deepEqual([...new Set(body.detail.map(({ loc }: Json) => loc.join('.')))], ['body.texts.1', 'body.texts.2']);
  const { ctx } = body.detail.find(({ msg }: Json) => msg.includes('/expect/0/says'));
  assert.deepEqual([ctx.line, ctx.column, ctx.path], [3, 12, '/expect/0/says']);
  assert.equal((await send(service, 'GET', '/api/test-runs')).body.items.length, before);
});

test('aliases cannot make a request of texts grow without limit', async () => {
  const long = Array.from({ length: 90 }, () => '*a').join(', ');
  const grows = (name: string) => scenario(name, 'ten', `world: { a: &a "${'x'.repeat(30_000)}", all: [${long}] }\n`);
  const { status, body } = await run({ texts: ['a', 'b', 'c'].map(grows) });
  assert.equal(status, 422);
  assert.deepEqual(body.detail.at(-1).loc, ['body', 'texts', 2]);
  assert.match(body.detail.at(-1).msg, /makes the request too long/);
});

test('texts go with neither a suite, scenarios, calls, a base nor a cassette', async () => {
  const texts = [scenario('opens')];
  const refused = async (fields: Json) => {
    const { status, body } = await run({ texts, ...fields });
    return [status, body.detail?.[0]?.loc?.at(-1)];
  };
  const kept = await save(service, scenario('kept'));
  assert.deepEqual(await refused({ scenarios: [kept] }), [422, 'texts']);
  assert.deepEqual(await refused({ suite: kept }), [422, 'texts']);
  assert.deepEqual(await refused({ calls: {} }), [422, 'calls']);
  assert.deepEqual(await refused({ base_version: 1 }), [422, 'base_version']);
  assert.deepEqual(await refused({ cassette: 'record' }), [422, 'cassette']);
  assert.deepEqual(await refused({ texts: [] }), [422, 'texts']);
});
