import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { migrateToLatest } from '../../src/db/migrate.ts';
import { newId } from '../../src/lib/ids.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../src/db/migrations');

test('keys and sign-ins of an earlier release stay valid, and keys made in open mode are marked', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  const earlier = await mkdtemp(path.join(tmpdir(), 'switchboard-migrations-'));
  t.after(() => rm(earlier, { recursive: true }));
  for (const name of (await readdir(MIGRATIONS)).filter((name) => name < '0030'))
    await cp(path.join(MIGRATIONS, name), path.join(earlier, name));
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrateToLatest(db, earlier);
  const [openly, safely, ownKey] = [newId(), newId(), newId()];
  for (const [id, role, user_id, actor] of [
    [openly, 'service', null, 'open'],
    [safely, 'service', null, 'command'],
    [ownKey, 'user', 'ada', `api_key/${safely}`],
  ] as const) {
    await sql`insert into api_keys (id, name, role, user_id, token_hash, created_at)
      values (${id}, 'x', ${role}, ${user_id}, ${id}, now())`.execute(db);
    await sql`insert into audit_log (id, at, actor, action, target)
      values (${newId()}, now(), ${actor}, 'key.created', ${`api_key/${id}`})`.execute(db);
  }
  await sql`insert into console_sessions values ('by key', ${ownKey}, 'user', 'ada', now(), now())`.execute(db);
  await sql`insert into console_sessions values ('by openid', null, 'user', 'ada', now(), now())`.execute(db);
  await migrateToLatest(db);
  const keys = await db.selectFrom('api_keys').select(['id', 'made_in_open_mode', 'scopes']).orderBy('id').execute();
  assert.deepEqual(
    keys.map(({ id, made_in_open_mode, scopes }) => [id, made_in_open_mode, scopes]),
    [openly, safely, ownKey].sort().map((id) => [id, id === openly, null]),
  );
  const signIns = await db.selectFrom('console_sessions').select(['token_hash', 'subject']).execute();
  assert.deepEqual(Object.fromEntries(signIns.map(({ token_hash, subject }) => [token_hash, subject])), {
    'by key': null,
    'by openid': 'ada',
  });
});

test('a start that accepts keys made in open mode warns of them, and says how to find them', async (t) => {
  const database = await openTestDatabase();
  t.after(() => database.close());
  const warnings = async () => {
    const service = await startService({ database, env: { AUTH_MODE: 'required' } });
    const lines = service.logged().filter((line) => line.includes('open mode'));
    await service.close();
    return lines.map((line) => JSON.parse(line));
  };
  assert.deepEqual(await warnings(), []);
  const { id } = await keysOf(database).create({ name: 'x', role: 'service' });
  await database.db.updateTable('api_keys').set({ made_in_open_mode: true }).where('id', '=', id).execute();
  const [warning, ...others] = await warnings();
  assert.deepEqual([warning?.keys, others], [1, []]);
  assert.match(warning?.msg, /npm run keys -- list/);
});
