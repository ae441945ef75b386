import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { MORNING, NIGHT, nightAgent } from '../support/versions.ts';

const service = await startService();
const { db } = service.database;

test('a new agent is version 1, which all calls get, and each update is the next one', async () => {
  const { send, arms } = await nightAgent(service);
  assert.deepEqual(await arms(), [{ version: 1, weight: 100 }]);
  await send('PATCH', '', { config: MORNING });
  await send('PATCH', '', { name: 'Front desk' });
  assert.deepEqual(await arms(), [{ version: 3, weight: 100 }]);
  const { items } = (await send('GET', '/releases')).body;
  assert.deepEqual(
    items.map(({ number, previous, repeats, created_by }: Record<string, unknown>) => [
      number,
      previous,
      repeats,
      created_by,
    ]),
    [
      [3, 2, null, 'open'],
      [2, 1, null, 'open'],
      [1, null, null, 'open'],
    ],
  );
  const third = (await send('GET', '/versions/3')).body;
  assert.deepEqual([third.name, third.config, typeof third.released_at], ['Front desk', MORNING, 'string']);
});

test('an update of what no version has makes none, and so does one that changes nothing', async () => {
  const { send, arms } = await nightAgent(service);
  await send('PATCH', '', { is_active: false });
  await send('PATCH', '', { config: NIGHT, name: 'Desk' });
  await send('PUT', '/callback-url', { callback_url: 'https://example.com/' });
  assert.deepEqual(await arms(), [{ version: 1, weight: 100 }]);
  assert.equal((await send('GET', '/releases')).body.items.length, 1);
  await send('PATCH', '', { type: 'LLM' });
  assert.deepEqual(await arms(), [{ version: 2, weight: 100 }]);
});

test('an update back to what an agent was is that version again', async () => {
  const { send, arms } = await nightAgent(service);
  await send('PATCH', '', { config: MORNING });
  await send('PATCH', '', { config: NIGHT });
  assert.deepEqual(await arms(), [{ version: 1, weight: 100 }]);
  assert.equal((await send('GET', '/versions')).body.items.length, 2);
});

test('a release of one version is what the agent is; of several it is the one with most weight', async () => {
  const { made, release, agent, send } = await nightAgent(service);
  const number = await made(MORNING);
  const released = await release([1, 30], [number, 70]);
  assert.equal(released.status, 200);
  assert.deepEqual(released.body.arms, [
    { version: 1, weight: 30 },
    { version: number, weight: 70 },
  ]);
  assert.deepEqual([released.body.sticky_by, released.body.gate, released.body.publishing], ['number', null, 'direct']);
  assert.deepEqual((await send('GET', '/release')).body, released.body);
  assert.deepEqual((await agent()).config, MORNING);
  await release([1, 100]);
  assert.deepEqual((await agent()).config, NIGHT);
});

test('an update ends a split: all calls get the changed agent', async () => {
  const { made, release, arms, send } = await nightAgent(service);
  await release([1, 60], [await made(MORNING), 40]);
  await send('PATCH', '', { name: 'Renamed' });
  assert.deepEqual(await arms(), [{ version: 3, weight: 100 }]);
  assert.deepEqual((await send('GET', '/versions/3')).body.config, NIGHT);
});

test('what is released already is not released again', async () => {
  const { made, release, send } = await nightAgent(service);
  const number = await made(MORNING);
  const first = await release([1, 50], [number, 50]);
  const again = await release([number, 50], [1, 50]);
  assert.deepEqual(again.body, first.body);
  assert.equal((await send('GET', '/releases')).body.items.length, 2);
});

test('a release that is none is refused, with the place', async () => {
  const { send } = await nightAgent(service);
  const put = async (body: object) => problemsOf(await send('PUT', '/release', body));
  const one = { version: 1, weight: 100 };
  assert.deepEqual(await put({ arms: [{ version: 1, weight: 99 }] }), ['body.arms value_error']);
  assert.deepEqual(
    await put({
      arms: [
        { version: 1, weight: 50 },
        { version: 9, weight: 50 },
      ],
    }),
    ['body.arms.1.version value_error'],
  );
  assert.deepEqual(
    await put({
      arms: [
        { version: 1, weight: 50 },
        { version: 1, weight: 50 },
      ],
    }),
    ['body.arms.1.version value_error'],
  );
  assert.deepEqual(
    await put({
      arms: [
        { version: 1, weight: 50.5 },
        { version: 2, weight: 49.5 },
      ],
    }),
    ['body.arms.0.weight int_type', 'body.arms.1.weight int_type'],
  );
  assert.deepEqual(await put({ arms: [one], gate: 'smoke' }), ['body.gate value_error']);
  assert.deepEqual(await put({ arms: [one], sticky_by: 'caller' }), ['body.sticky_by enum']);
  assert.deepEqual(await put({ arms: [] }), ['body.arms too_short']);
  const eleven = Array.from({ length: 11 }, (_, index) => ({ version: index + 1, weight: 9 }));
  assert.deepEqual(await put({ arms: eleven }), ['body.arms too_long']);
});

test('rolling back returns to the release before, and when repeated to the one before that', async () => {
  const { send, arms, agent } = await nightAgent(service);
  for (const name of ['B', 'C']) await send('PATCH', '', { name });
  const first = await send('POST', '/rollback');
  assert.equal(first.status, 200);
  assert.deepEqual([first.body.number, first.body.repeats, first.body.previous], [4, 2, 1]);
  assert.deepEqual([await arms(), (await agent()).name], [[{ version: 2, weight: 100 }], 'B']);
  assert.equal((await send('POST', '/rollback')).body.repeats, 1);
  assert.deepEqual([await arms(), (await agent()).name], [[{ version: 1, weight: 100 }], 'Desk']);
  assertRefused(await send('POST', '/rollback'), 409, 'no_previous_release');
});

test('a repeated request to roll back rolls back once', async () => {
  const { send, arms } = await nightAgent(service);
  for (const name of ['B', 'C']) await send('PATCH', '', { name });
  const key = { 'idempotency-key': `rollback-${Math.random()}` };
  const [first, second] = [
    await send('POST', '/rollback', undefined, key),
    await send('POST', '/rollback', undefined, key),
  ];
  assert.deepEqual(second.body, first.body);
  assert.deepEqual(await arms(), [{ version: 2, weight: 100 }]);
});

test('who releases or rolls back with If-Match does so in place of the release that was read, or is told', async () => {
  const { send, arms, made } = await nightAgent(service);
  for (const name of ['B', 'C']) await send('PATCH', '', { name });
  const read = await send('GET', '/release');
  const tag = { 'if-match': read.headers.get('etag') ?? '' };
  assert.equal(tag['if-match'], '"3"');
  const key = { 'idempotency-key': `both-${Math.random()}` };
  const both = [{ ...tag, ...key }, tag].map((headers) => send('POST', '/rollback', undefined, headers));
  assert.deepEqual((await Promise.all(both)).map(({ status }) => status).sort(), [200, 412]);
  assert.deepEqual(await arms(), [{ version: 2, weight: 100 }]);
  const late = { arms: [{ version: await made(MORNING), weight: 100 }] };
  assertRefused(await send('PUT', '/release', late, tag), 412, 'changed_meanwhile');
  assertRefused(await send('PUT', '/release', late, { 'if-match': '"05"' }), 412, 'changed_meanwhile');
  assert.deepEqual(await arms(), [{ version: 2, weight: 100 }]);
  assert.equal((await send('PUT', '/release', late, { 'if-match': '"3", "4"' })).status, 200);
  // Repeated after an answer that was lost, it is what is released already.
  assert.equal((await send('PUT', '/release', late, { 'if-match': '"4"' })).body.number, 5);
});

test('rolling back a split restores it', async () => {
  const { made, release, arms, send } = await nightAgent(service);
  const number = await made(MORNING);
  await release([1, 60], [number, 40]);
  await release([number, 100]);
  await send('POST', '/rollback');
  assert.deepEqual(await arms(), [
    { version: 1, weight: 60 },
    { version: number, weight: 40 },
  ]);
});

test('a gated agent is changed by releases alone', async () => {
  const { send, made, release, agent } = await nightAgent(service);
  assert.equal((await send('PUT', '/publishing', { publishing: 'gated' })).body.publishing, 'gated');
  const refused = await send('PATCH', '', { config: MORNING });
  assertRefused(refused, 409, 'agent_is_gated');
  assert.match(refused.body.detail, /draft/);
  assert.equal((await send('PATCH', '', { is_active: false })).status, 200);
  assert.equal((await send('PATCH', '', { config: NIGHT, is_active: true })).status, 200);
  await release([await made(MORNING), 100]);
  assert.deepEqual((await agent()).config, MORNING);
  assert.equal((await send('POST', '/rollback')).status, 200);
  await send('PUT', '/publishing', { publishing: 'direct' });
  assert.equal((await send('PATCH', '', { config: MORNING })).status, 200);
});

test('a version that was never live is released only if its configuration has no problems', async () => {
  const { send, id, release } = await nightAgent(service);
  const config = { llm: { provider: 'mine' } };
  await send('PATCH', '', { config });
  await send('PATCH', '', { config: NIGHT });
  assert.equal((await release([2, 100])).status, 200);
  await sql`insert into agent_versions (agent_id, number, user_id, name, type, config, created_by, created_at)
    values (${id}::uuid, 3, 'me', 'Trial', 'LLM', ${JSON.stringify(config)}, 'test', now())`.execute(db);
  assert.deepEqual(problemsOf(await release([3, 100])), ['body.arms.0.version.llm.provider enum']);
});

test('the release of an agent that is deleted while it is read is not found', async () => {
  const { id, send } = await nightAgent(service);
  // As between the two reads: the agent is still seen, its releases are gone.
  await db.deleteFrom('agent_releases').where('agent_id', '=', id).execute();
  assert.equal((await send('GET', '/release')).status, 404);
});

test('a hundred updates at once are a hundred versions, and calls get the last one', async () => {
  const { send, arms, agent } = await nightAgent(service);
  // Those that have waited too long for a connection are asked for again.
  const update = (index: number) =>
    eventually(
      () => send('PATCH', '', { config: { index } }),
      ({ status }) => status !== 503,
    );
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => update(index)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.deepEqual(await arms(), [{ version: 101, weight: 100 }]);
  const { config } = (await send('GET', '/versions/101')).body;
  assert.deepEqual((await agent()).config, config);
  assert.equal((await send('GET', '/releases?limit=1')).body.items[0].previous, 100);
});

test('an agent that a replica of an earlier release has changed gets calls what it says, and then a version', async () => {
  const { id, send, arms } = await nightAgent(service);
  await sql`update agents set config = ${JSON.stringify(MORNING)}::jsonb, updated_at = now() where id = ${id}::uuid`.execute(
    db,
  );
  const { rows } = await sql<{ version: number | null }>`select version from agents where id = ${id}::uuid`.execute(db);
  assert.equal(rows[0]?.version, null);
  assert.deepEqual(await arms(), [{ version: 2, weight: 100 }]);
  assert.deepEqual((await send('GET', '/versions/2')).body.config, MORNING);
  await send('POST', '/rollback');
  assert.deepEqual((await send('GET', '')).body.config, NIGHT);
});
