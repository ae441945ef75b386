import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import {
  MAX_MISTAKES,
  MAX_SCENARIOS,
  MAX_SUITE_SCENARIOS,
  MAX_SUITES,
  MAX_TEXT,
} from '../../src/calling/scenarios/schema.ts';
import { assertRefused } from '../support/answers.ts';
import { save, saveSuite, scenario, send } from '../support/tests.ts';

const service = await startService();
after(() => service.close());
const { db } = service.database;

const post = (text: string) => send(service, 'POST', '/api/scenarios', { text });

test('a scenario is kept as it was sent, in YAML or JSON, replaced by its name, listed without its text, and deleted', async () => {
  const text = `# why this matters\n${scenario('opens')}`;
  const { status, body } = await post(text);
  assert.deepEqual([status, body.name, body.text], [201, 'opens', text]);
  const json = JSON.stringify({
    scenario: 'opens',
    caller: { script: [{ say: 'Hi' }] },
    expect: [{ agent_says: 'a' }],
  });
  const replaced = await post(json);
  assert.deepEqual([replaced.status, replaced.body.id, replaced.body.text], [200, body.id, json]);
  const other = await save(service, scenario('other'));
  const { items } = (await send(service, 'GET', '/api/scenarios')).body;
  assert.deepEqual(
    items.map(({ id, name, text }: Json) => [id, name, text]),
    [
      [other, 'other', undefined],
      [body.id, 'opens', undefined],
    ],
  );
  assert.equal((await send(service, 'GET', `/api/scenarios/${body.id}`)).body.text, json);
  assertRefused(await send(service, 'GET', `/api/scenarios/${body.id}`, undefined, 'other'), 404, 'not_found');
  assertRefused(await send(service, 'DELETE', `/api/scenarios/${body.id}`, undefined, 'other'), 404, 'not_found');
  assert.equal((await send(service, 'DELETE', `/api/scenarios/${body.id}`)).status, 204);
  assertRefused(await send(service, 'GET', `/api/scenarios/${body.id}`), 404, 'not_found');
});

test('every mistake of a text is told at once, with line and column', async () => {
  const { status, body } = await post(
    'scenario: x\ncaller: { script: [{ says: "Hi" }] }\nexpect:\n  - { agent_say: "a" }\n',
  );
  assert.equal(status, 422);
  const places = body.detail.map(({ loc, ctx }: Json) => [loc.join('/'), ctx.line, ctx.column]);
  assert.ok(
    places.some(([loc, line]: unknown[]) => loc === 'body/text' && line === 2),
    JSON.stringify(body),
  );
  assert.ok(
    places.some(([, line, column]: unknown[]) => line === 4 && column === 7),
    JSON.stringify(body),
  );
  const broken = await post('a: [');
  assert.equal(broken.status, 422);
  assert.equal(broken.body.detail[0].ctx.line, 1);
});

test('a name that the database cannot hold is refused, and words that it cannot hold are kept', async () => {
  assert.equal((await post(scenario('"a\\0b"'))).status, 422);
  assert.equal((await post(scenario('nul', 'a\\0b'))).status, 201);
});

test('a text has up to 32,768 characters, and the first hundred of its mistakes are listed', async () => {
  const filled = (length: number) => `${scenario('long')}#`.padEnd(length, 'x');
  assert.equal((await post(filled(MAX_TEXT))).status, 201);
  assert.equal((await post(filled(MAX_TEXT + 1))).status, 422);
  const { status, body } = await post('a: b: c\n'.repeat(MAX_MISTAKES * 2));
  assert.deepEqual([status, body.detail.length], [422, MAX_MISTAKES]);
});

test('a suite has scenarios of its user in their order, is replaced by its name, and goes on without deleted ones', async () => {
  const [one, two] = [await save(service, scenario('one')), await save(service, scenario('two'))];
  const id = await saveSuite(service, [two, one]);
  const read = async () => (await send(service, 'GET', `/api/suites/${id}`)).body;
  assert.deepEqual((await read()).scenarios, [two, one]);
  const { changed_at } = await read();
  assert.equal(await saveSuite(service, [one, two]), id);
  await save(service, scenario('two', 'eleven'));
  const changed = await read();
  assert.deepEqual(changed.scenarios, [one, two]);
  assert.ok(changed.changed_at > changed_at);
  await send(service, 'DELETE', `/api/scenarios/${one}`);
  assert.deepEqual((await read()).scenarios, [two]);
  const unknown = await send(service, 'POST', '/api/suites', { name: 'x', scenarios: [two, one] });
  assert.deepEqual([unknown.status, unknown.body.detail[0].loc], [422, ['body', 'scenarios', 1]]);
  assert.equal((await send(service, 'POST', '/api/suites', { name: 'x', scenarios: [two, two] })).status, 422);
  const others = await send(service, 'POST', '/api/suites', { name: 'x', scenarios: [two] }, 'other');
  assert.equal(others.status, 422);
  assertRefused(await send(service, 'DELETE', `/api/suites/${id}`, undefined, 'other'), 404, 'not_found');
  assert.equal((await send(service, 'DELETE', `/api/suites/${id}`)).status, 204);
  assert.equal((await send(service, 'GET', `/api/scenarios/${two}`)).status, 200);
});

test('a user has up to 500 scenarios and 100 suites, and a suite up to 200 scenarios', async () => {
  const user = 'many';
  await sql`insert into scenarios (id, user_id, name, text, content, created_at, updated_at)
    select gen_random_uuid(), ${user}, 'n' || n, 'x', '{}', now(), now() from generate_series(2, ${MAX_SCENARIOS}::integer) as n`.execute(
    db,
  );
  const add = (name: string) => send(service, 'POST', '/api/scenarios', { text: scenario(name) }, user);
  const { status, body } = await add('last');
  assert.equal(status, 201);
  assertRefused(await add('one more'), 409, 'too_many_tests');
  assert.equal((await add('last')).status, 200);
  await sql`insert into suites (id, user_id, name, scenario_ids, created_at, changed_at)
    select gen_random_uuid(), ${user}, 'n' || n, '{}', now(), now() from generate_series(2, ${MAX_SUITES}::integer) as n`.execute(
    db,
  );
  const put = (name: string, scenarios = [body.id]) => send(service, 'POST', '/api/suites', { name, scenarios }, user);
  assert.equal((await put('last')).status, 201);
  assertRefused(await put('one more'), 409, 'too_many_tests');
  const rows = await db.selectFrom('scenarios').select('id').where('user_id', '=', user).execute();
  const ids = rows.map(({ id }) => id);
  assert.equal((await put('last', ids.slice(0, MAX_SUITE_SCENARIOS))).status, 200);
  assert.equal((await put('last', ids.slice(0, MAX_SUITE_SCENARIOS + 1))).status, 422);
});
