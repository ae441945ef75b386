import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';

const service = await startService();
const user = 'user-1';

async function createAgent(owner = user): Promise<string> {
  const { body } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: owner } });
  return body.id;
}

const setKey = (id: string, external_key: unknown, caller = user) =>
  service.request('PUT', `/api/agents/${id}/external-key`, { user: caller, body: { external_key } });
const find = (key: string, caller = user) => service.request('GET', `/api/agents/by-key/${key}`, { user: caller });

test('an agent is found by its external key, by its user alone', async () => {
  const id = await createAgent();
  const none = await service.request('GET', `/api/agents/${id}/external-key`, { user });
  assert.deepEqual(none.body, { agent_id: id, external_key: null });
  assert.deepEqual((await setKey(id, 'front-desk')).body, { agent_id: id, external_key: 'front-desk' });
  const found = await find('front-desk');
  assert.equal(found.status, 200);
  // The fields of an agent are those of the specification.
  assert.deepEqual(found.body, (await service.request('GET', `/api/agents/${id}`, { user })).body);
  assert.equal('external_key' in found.body, false);
  assert.equal((await find('front-desk', 'user-2')).status, 404);
  for (const unknown of ['nothing', '%00', 'x'.repeat(3000)]) assert.equal((await find(unknown)).status, 404);
  assert.equal((await setKey(id, 'other', 'user-2')).status, 404);
});

test('an external key names one agent of a user, and those of others independently', async () => {
  const [one, two, other] = [await createAgent(), await createAgent(), await createAgent('user-2')];
  assert.equal((await setKey(one, 'sales')).status, 200);
  const taken = await setKey(two, 'sales');
  assert.deepEqual([taken.status, taken.body.code], [409, 'external_key_taken']);
  assert.match(taken.body.detail, new RegExp(one));
  assert.equal((await setKey(one, 'sales')).status, 200);
  assert.equal((await setKey(other, 'sales', 'user-2')).status, 200);
  assert.equal((await setKey(one, null)).status, 200);
  assert.equal((await setKey(two, 'sales')).status, 200);
  assert.equal((await find('sales')).body.id, two);
});

test('of agents that ask for a key at once, one gets it', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => createAgent('user-3')));
  const answers = await Promise.all(ids.map((id) => setKey(id, 'wanted', 'user-3')));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
});

test('a deleted agent keeps no external key', async () => {
  const [one, two] = [await createAgent(), await createAgent()];
  await setKey(one, 'gone');
  assert.equal((await service.request('DELETE', `/api/agents/${one}`, { user })).status, 204);
  assert.equal((await find('gone')).status, 404);
  assert.equal((await setKey(two, 'gone')).status, 200);
});

test('an external key has letters, digits, dots, underscores and hyphens', async () => {
  const id = await createAgent();
  for (const key of ['a', 'A.b_c-9', 'x'.repeat(100)]) assert.equal((await setKey(id, key)).status, 200, key);
  for (const key of ['', '-a', 'a b', 'ä', 'a/b', 'x'.repeat(101), 7, undefined]) {
    const { status, body } = await setKey(id, key);
    assert.equal(status, 422, String(key));
    assert.deepEqual(body.detail[0].loc, ['body', 'external_key']);
  }
});

test('scenarios name an agent by its external key', async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-keys-'));
  t.after(() => rm(dir, { recursive: true }));
  const id = await createAgent();
  const config = { instructions: 'We open at ten.' };
  await service.request('PATCH', `/api/agents/${id}`, { user, body: { config } });
  await setKey(id, 'opens');
  const run = async (key: string) => {
    const lines = [
      'scenario: opens',
      `agent: { key: ${key} }`,
      'caller: { script: [{ say: "When do you open?" }] }',
      'expect: [{ agent_says: "we open at ten" }]',
    ];
    await writeFile(path.join(dir, 'opens.yaml'), lines.join('\n'));
    const command = path.resolve(import.meta.dirname, '../../../scenarios/scripts/agent-tests.ts');
    const args = [command, '--url', service.url, '--user', user, 'opens.yaml'];
    const child = spawn(process.execPath, args, { env: { INIT_CWD: dir, NO_COLOR: '1' } });
    const [out, error, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { status, said: out + error };
  };
  const known = await run('opens');
  assert.equal(known.status, 0, known.said);
  const unknown = await run('closes');
  assert.notEqual(unknown.status, 0);
  assert.match(unknown.said, /"closes", which is no external key in the service/);
});
