import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';
import { MORNING, nightAgent } from '../support/versions.ts';

const TABLES = ['agent_versions', 'agent_releases', 'agent_drafts'];
const large = (letter: string) => ({ prompt: letter.repeat(20_000) });

/** The bytes that are counted for a user, and those that the tables hold. */
async function bytesOf({ database: { db }, request }: Service, user: string): Promise<[counted: number, held: number]> {
  const { body } = await request('GET', `/api/quotas/${user}`);
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from stored_content where user_id = ${user}`.execute(db);
  return [body.stored_bytes, rows[0]?.bytes ?? 0];
}

test('versions, drafts and releases count as what a user has stored, and no longer once the agent is deleted', async () => {
  const service = await startService();
  const { send, made, release } = await nightAgent(service, USER);
  const [before] = await bytesOf(service, USER);
  await send('PUT', '/draft', { name: 'Desk', config: large('a') });
  const number = await made(large('b'));
  await release([1, 50], [number, 50]);
  const [counted, held] = await bytesOf(service, USER);
  assert.equal(counted, held);
  assert.ok(counted - before > 40_000, `${counted - before}`);
  await send('PUT', '/draft', { name: 'Desk', config: MORNING });
  const [less, stillHeld] = await bytesOf(service, USER);
  assert.equal(less, stillHeld);
  assert.ok(counted - less > 19_000, `${counted - less}`);
  await send('DELETE', '');
  const [last, left] = await bytesOf(service, USER);
  assert.equal(last, left);
  assert.ok(last < 25_000, `${last}`);
});

test('a key with a full quota makes no versions and saves no drafts, and reads what there is', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required', STORED_BYTES_PER_USER: '50000' } });
  const { key } = await keysOf(service.database).create({ name: 'mine', role: 'user', user_id: USER });
  const headers = { authorization: `Bearer ${key}` };
  const send = (method: string, path: string, body?: object) =>
    service.request(method, `/api/agents/${path}`, { headers, ...(body && { body }) });
  const { id } = (await send('POST', '', { name: 'Desk', user_id: USER })).body;
  let refused: Awaited<ReturnType<typeof send>> | undefined;
  for (const letter of 'abcdefgh') {
    const saved = await send('PUT', `${id}/draft`, { name: 'Desk', config: large(letter) });
    if (saved.status !== 200) refused = saved;
    else await send('POST', `${id}/versions`, {});
  }
  assertRefused(refused ?? assert.fail('never refused'), 403, 'quota_exceeded');
  assert.equal((await send('GET', `${id}/versions`)).status, 200);
  assert.equal((await send('DELETE', id)).status, 204);
});

test('an erasure deletes versions, drafts and releases, and the name of who made those of others', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required' } });
  const { db } = service.database;
  const keys = keysOf(service.database);
  const { key } = await keys.create({ name: 'Ada', role: 'user', user_id: USER });
  const root = await keys.create({ name: 'root', role: 'service' });
  const send = (key: string, method: string, path: string, user: string, body?: object) =>
    service.request(method, path, { user, headers: { authorization: `Bearer ${key}` }, ...(body && { body }) });
  const { id } = (await send(key, 'POST', '/api/agents/', USER, { name: 'Desk', user_id: USER })).body;
  await send(key, 'PUT', `/api/agents/${id}/draft`, USER, { name: 'Draft', config: MORNING });
  const other = (await send(root.key, 'POST', '/api/agents/', 'other', { name: 'Desk', user_id: 'other' })).body.id;
  // As somebody who signed in at the OpenID provider.
  for (const table of TABLES.slice(0, 2))
    await sql`update ${sql.table(table)} set created_by = 'ada@example.com', created_by_user = ${USER} where agent_id = ${other}::uuid`.execute(
      db,
    );
  const { body } = await send(root.key, 'DELETE', `/api/users/${USER}`, USER);
  for (const table of TABLES) {
    const { rows } = await sql`select from ${sql.table(table)} where agent_id = ${id}::uuid`.execute(db);
    assert.equal(rows.length, 0, table);
  }
  const { items } = (await send(root.key, 'GET', `/api/agents/${other}/versions`, 'other')).body;
  assert.deepEqual(
    items.map(({ created_by }: { created_by: string }) => created_by),
    [body.pseudonym],
  );
});
