import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';

const service = await startService();
const MAX_AGENTS = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

const create = (user_id: string, fields: object = {}) =>
  service.request('POST', '/api/agents/', { body: { name: 'A', user_id, ...fields } });
const list = async (user: string) => (await service.request('GET', '/api/agents/', { user })).body;
const remove = (id: string) => service.request('DELETE', `/api/agents/${id}`);
const config = (kib: number) => ({ prompt: 'x'.repeat(kib * 1024) });

/** Agents that take no room, beside the database's own small change. */
async function insert(user_id: string, count: number): Promise<void> {
  await sql`insert into agents (id, user_id, name, type, config, is_active, created_at, updated_at)
    select gen_random_uuid(), ${user_id}, 'A', 'PIPELINE', '{}', true, now(), now() from generate_series(1, ${count}::int)`.execute(
    service.database.db,
  );
}

test('a user has at most 1,000 agents, even when many are created at once', async () => {
  await insert('many', MAX_AGENTS - 3);
  const answers = await Promise.all(Array.from({ length: 12 }, () => create('many')));
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 3);
  for (const answer of answers) if (answer.status !== 201) assertRefused(answer, 409, 'too_many_agents');
  assert.match(answers.find(({ status }) => status === 409)?.body.detail, /at most 1000 agents.*Delete/);
  assert.equal((await list('many')).length, MAX_AGENTS);
  assert.equal(
    (await service.request('PATCH', `/api/agents/${made[0]?.body.id}`, { body: { name: 'B' } })).status,
    200,
  );
  assert.equal((await create('another')).status, 201);
  await remove(made[0]?.body.id);
  assert.equal((await create('many')).status, 201);
});

test('all agents of a user share 8 MiB', async () => {
  const ids: string[] = [];
  for (;;) {
    const answer = await create('large', { config: config(250) });
    if (answer.status !== 201) {
      assertRefused(answer, 409, 'too_many_agents');
      assert.match(answer.body.detail, /8388608 bytes/);
      break;
    }
    ids.push(answer.body.id);
    assert.ok(ids.length < 40, 'it has no end');
  }
  const bytes = Buffer.byteLength(JSON.stringify(await list('large')));
  assert.ok(bytes > MAX_BYTES - 300 * 1024 && bytes < MAX_BYTES + 100 * 1024, `${bytes}`);
  const [first = '', second = ''] = ids;
  const update = (id: string, body: object) => service.request('PATCH', `/api/agents/${id}`, { body });
  // The refused requests have changed nothing.
  const small = (await create('large')).body.id;
  assertRefused(await update(small, { config: config(255) }), 409, 'too_many_agents');
  assertRefused(await update(small, { description: 'x'.repeat(65_536), config: config(200) }), 409, 'too_many_agents');
  assert.deepEqual((await service.request('GET', `/api/agents/${small}`)).body.config, {});
  assert.equal((await update(first, { config: {} })).status, 200);
  assert.equal((await update(small, { config: config(200) })).status, 200);
  await remove(second);
  assert.equal((await create('large', { config: config(250) })).status, 201);
});

test('an agent list over the limit may shrink but not grow', async () => {
  await insert('before', MAX_AGENTS + 5);
  const [agent] = await list('before');
  assert.equal((await service.request('PATCH', `/api/agents/${agent.id}`, { body: { name: 'Renamed' } })).status, 200);
  assertRefused(await create('before'), 409, 'too_many_agents');
});

test('a long list is complete, newest first, and its agents are those that are read one by one', async () => {
  const user = 'long';
  const contents = [config(0), config(20), { 'a "name"': ['é', 1.5, null] }, config(255), config(200), config(250)];
  for (let round = 0; round < 3; round++)
    for (const one of contents) await create(user, { config: one, description: 'x'.repeat(round * 30_000) });
  const agents: { id: string }[] = await list(user);
  assert.equal(agents.length, contents.length * 3);
  assert.deepEqual(
    agents.map(({ id }) => id),
    agents
      .map(({ id }) => id)
      .toSorted()
      .reverse(),
  );
  for (const agent of agents)
    assert.deepEqual(agent, (await service.request('GET', `/api/agents/${agent.id}`, { user })).body);
  const { headers } = await service.request('GET', '/api/agents/', { user });
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(Number(headers.get('content-length')), Buffer.byteLength(JSON.stringify(agents)));
});

test('long lists are read one at a time; users take turns, and everybody gets the whole list', async () => {
  await insert('greedy', 900);
  await insert('modest', 300);
  const order: string[] = [];
  const ask = async (user: string) => {
    const { length } = await list(user);
    order.push(user);
    return length;
  };
  const lengths = Promise.all(Array.from({ length: 17 }, () => ask('greedy')));
  assert.equal(await ask('modest'), 300);
  assert.deepEqual(new Set(await lengths), new Set([900]));
  assert.ok(order.indexOf('modest') < 9, `after ${order.indexOf('modest')} lists of another user`);
});
