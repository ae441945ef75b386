import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { MAX_VERSIONS } from '../../src/conversations/versions/history.ts';
import { allPages, assertRefused, problemsOf, rawAnswer } from '../support/answers.ts';
import { MORNING, NIGHT, nightAgent } from '../support/versions.ts';

const service = await startService();
const { db } = service.database;

test('a version is a snapshot of the draft, with its note and maker', async () => {
  const { send } = await nightAgent(service);
  await send('PUT', '/draft', { name: 'Desk', description: 'In the morning', config: MORNING });
  const made = await send('POST', '/versions', { note: 'Says good morning' });
  assert.equal(made.status, 201);
  const { number, note, config, description, type, created_by, released_at, hash } = made.body;
  assert.deepEqual([number, note, config, description], [2, 'Says good morning', MORNING, 'In the morning']);
  assert.deepEqual([type, created_by, released_at], ['PIPELINE', 'open', null]);
  assert.match(hash, /^[0-9a-f]{64}$/);
  await send('PUT', '/draft', { name: 'Desk', config: {} });
  assert.deepEqual((await send('GET', '/versions/2')).body, made.body);
});

test('the same content is the same version, in any order of its fields; it gets a note once', async () => {
  const { send } = await nightAgent(service);
  const save = (config: object) => send('PUT', '/draft', { name: 'Desk', config });
  await save({ a: 1, b: { c: [1, 2], d: null } });
  const first = await send('POST', '/versions', {});
  await save({ b: { d: null, c: [1, 2] }, a: 1 });
  const second = await send('POST', '/versions', { note: 'Now with a note' });
  assert.deepEqual([first.status, second.status], [201, 200]);
  assert.deepEqual(second.body, { ...first.body, note: 'Now with a note' });
  assert.equal((await send('POST', '/versions', { note: 'Another one' })).body.note, 'Now with a note');
  await save({ a: 1, b: { c: [2, 1], d: null } });
  assert.equal((await send('POST', '/versions', {})).body.number, 3);
  assert.equal((await send('POST', '/versions', { from: 1 })).body.number, 1);
});

test('two who make a version of one draft at the same moment make one', async () => {
  const { send } = await nightAgent(service);
  await send('PUT', '/draft', { name: 'Desk', config: MORNING });
  const all = await Promise.all(Array.from({ length: 5 }, () => send('POST', '/versions', {})));
  assert.deepEqual(all.map(({ status }) => status).sort(), [200, 200, 200, 200, 201]);
  assert.deepEqual(new Set(all.map(({ body }) => body.number)), new Set([2]));
});

test('what a version is made of is the draft, or a version that exists', async () => {
  const { send } = await nightAgent(service);
  assertRefused(await send('POST', '/versions', { from: 7 }), 404, 'not_found');
  for (const from of ['7', 'DRAFT', 0, 1.5, null])
    assert.match(problemsOf(await send('POST', '/versions', { from })).join(), /^body\.from /);
  assert.deepEqual(problemsOf(await send('POST', '/versions', { note: 'x'.repeat(1001) })), [
    'body.note string_too_long',
  ]);
});

test('versions are listed newest first, without their content', async () => {
  const { send, made, id } = await nightAgent(service);
  for (let index = 0; index < 5; index++) await made({ index });
  const all = (await allPages(service, `/api/agents/${id}/versions`, 2, { user: 'me' })) as unknown as {
    number: number;
  }[];
  assert.deepEqual(
    all.map(({ number }) => number),
    [6, 5, 4, 3, 2, 1],
  );
  assert.equal('config' in (all[0] ?? {}), false);
  assert.equal((await send('GET', '/versions?cursor=x')).status, 422);
});

test('a version of another user, or none, is not found: the same answer as for any unknown one', async () => {
  const { id } = await nightAgent(service);
  const paths = ['draft', 'versions', 'versions/1', 'versions/1/diff/draft', 'release', 'releases'];
  for (const path of paths) {
    const unknown = await rawAnswer(service, `/api/agents/01980000-0000-7000-8000-000000000000/${path}`, 'me');
    assert.match(unknown, /^404 /);
    assert.equal(await rawAnswer(service, `/api/agents/${id}/${path}`, 'other'), unknown, path);
    assert.equal(await rawAnswer(service, `/api/agents/x/${path}`, 'me'), unknown, path);
  }
  for (const number of ['2', '0', '-1', '01', '1.0', 'draft', '9999999999'])
    assert.match(await rawAnswer(service, `/api/agents/${id}/versions/${number}`, 'me'), /^404 /);
  for (const [method, path, body] of [
    ['PUT', 'draft', { name: 'x', config: {} }],
    ['POST', 'versions', {}],
    ['PUT', 'release', { arms: [{ version: 1, weight: 100 }] }],
    ['POST', 'rollback', undefined],
    ['PUT', 'publishing', { publishing: 'gated' }],
  ] as const)
    assertRefused(
      await service.request(method, `/api/agents/${id}/${path}`, { user: 'other', ...(body && { body }) }),
      404,
      'not_found',
    );
});

test('a diff is a JSON Patch, and lines for long texts; of the draft too', async () => {
  const { send, made } = await nightAgent(service);
  const lines = Array.from({ length: 40 }, (_, index) => `Line ${index}.`);
  const one = { instructions: lines.join('\n'), tools: { dtmf: true }, 'a/b~c': [1, 2, 3], llm: { model: 'x' } };
  const two = {
    instructions: lines.with(20, 'Another line.').join('\n'),
    tools: { hang_up: true },
    'a/b~c': [1, 3],
    llm: { model: 'y' },
  };
  const [from, to] = [await made(one), await made(two, 'Desk 2')];
  const { body } = await send('GET', `/versions/${from}/diff/${to}`);
  assert.deepEqual(
    body.patch.map(({ op, path, value }: { op: string; path: string; value: unknown }) => [op, path, value]),
    [
      ['replace', '/name', 'Desk 2'],
      ['replace', '/config/llm/model', 'y'],
      ['remove', '/config/tools/dtmf', undefined],
      ['add', '/config/tools/hang_up', true],
      ['remove', '/config/a~1b~0c/1', undefined],
      ['replace', '/config/instructions', two.instructions],
    ].toSorted((a, b) => order(body.patch, a[1]) - order(body.patch, b[1])),
  );
  const context = (text: string) =>
    [17, 18, 19]
      .map((n) => ` Line ${n}.`)
      .concat(text)
      .join('\n');
  assert.deepEqual(body.texts, [
    {
      path: '/config/instructions',
      diff: `@@ -18,7 +18,7 @@\n${context('-Line 20.\n+Another line.')}\n Line 21.\n Line 22.\n Line 23.`,
    },
  ]);
  await send('PUT', '/draft', { name: 'Desk 2', config: { ...two, llm: { model: 'z' } } });
  assert.deepEqual((await send('GET', `/versions/${to}/diff/draft`)).body, {
    from: to,
    to: 'draft',
    patch: [{ op: 'replace', path: '/config/llm/model', value: 'z' }],
    texts: [],
  });
  assertRefused(await send('GET', '/versions/1/diff/99'), 404, 'not_found');
});

const order = (patch: { path: string }[], path: unknown) => patch.findIndex((one) => one.path === path);

test('of an agent so many versions are kept; those that calls get stay', async () => {
  const { id, made, release, send } = await nightAgent(service);
  await made(MORNING);
  await release([1, 60], [2, 40]);
  await sql`insert into agent_versions (agent_id, number, user_id, name, type, config, created_by, created_at)
    select ${id}::uuid, n, 'me', 'Desk ' || n, 'PIPELINE', '{}', 'test', now() from generate_series(3, ${MAX_VERSIONS + 2}::int) as n`.execute(
    db,
  );
  assert.equal(await made({ newest: true }), MAX_VERSIONS + 3);
  const { rows } = await sql<{ number: number }>`
    select number from agent_versions where agent_id = ${id}::uuid order by number limit 4`.execute(db);
  assert.deepEqual(
    rows.map(({ number }) => number),
    [1, 2, 4, 5],
  );
  assert.deepEqual((await send('GET', '/versions/1')).body.config, NIGHT);
  assertRefused(await send('GET', '/versions/3'), 404, 'not_found');
});

test('a deleted agent keeps none', async () => {
  const { id, made, send } = await nightAgent(service);
  await made(MORNING);
  assert.equal((await send('DELETE', '')).status, 204);
  for (const table of ['agent_versions', 'agent_releases', 'agent_drafts']) {
    const { rows } = await sql`select from ${sql.table(table)} where agent_id = ${id}::uuid`.execute(db);
    assert.equal(rows.length, 0, table);
  }
});
