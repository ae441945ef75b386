import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { migrateToLatest } from '../../src/db/migrate.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../src/db/migrations');

test('after an upgrade each agent is its own version 1, which all calls get, and deleted ones have none', async (t) => {
  const database = await openTestDatabase();
  const { db } = database;
  t.after(database.close);
  const earlier = await mkdtemp(path.join(tmpdir(), 'switchboard-migrations-'));
  t.after(() => rm(earlier, { recursive: true }));
  for (const name of (await readdir(MIGRATIONS)).filter((name) => name < '0060'))
    await cp(path.join(MIGRATIONS, name), path.join(earlier, name));
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrateToLatest(db, earlier);
  const [id, deleted] = ['01980000-0000-7000-8000-000000000001', '01980000-0000-7000-8000-000000000002'];
  const config = { greeting: 'Hello', llm: { model: 'x' } };
  await sql`insert into agents (id, user_id, name, description, type, config, is_active, created_at, updated_at, deleted_at) values
    (${id}::uuid, 'me', 'Desk', 'The first', 'LLM', ${JSON.stringify(config)}::jsonb, true, now(), now(), null),
    (${deleted}::uuid, 'me', 'Gone', null, 'LLM', '{}', false, now(), now(), now())`.execute(db);
  await migrateToLatest(db);
  const service = await startService({ database });
  const read = async (path: string) => (await service.request('GET', `/api/agents/${id}${path}`, { user: 'me' })).body;
  const version = await read('/versions/1');
  assert.deepEqual(
    [version.name, version.description, version.type, version.config, version.created_by],
    ['Desk', 'The first', 'LLM', config, 'upgrade'],
  );
  assert.deepEqual((await read('/release')).arms, [{ version: 1, weight: 100 }]);
  assert.equal((await read('/draft')).has_changes, false);
  const { rows } = await sql`select from agent_versions where agent_id = ${deleted}::uuid`.execute(db);
  assert.equal(rows.length, 0);
  const body = (await service.request('GET', '/api/quotas/me')).body;
  const stored = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from stored_content where user_id = 'me'`.execute(db);
  assert.equal(body.stored_bytes, stored.rows[0]?.bytes);
  await service.close();
});
