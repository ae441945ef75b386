import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { sql } from 'kysely';
import { migrateToLatest } from '../../src/db/migrate.ts';

const REPAIR = { actor: 'repair', user_id: null, ip: null };
const MIGRATIONS = path.resolve(import.meta.dirname, '../../src/db/migrations');

test('what an earlier release has left to do is work', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  const earlier = await mkdtemp(path.join(tmpdir(), 'switchboard-migrations-'));
  t.after(() => rm(earlier, { recursive: true }));
  for (const name of (await readdir(MIGRATIONS)).filter((name) => name < '0051'))
    await cp(path.join(MIGRATIONS, name), path.join(earlier, name));
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrateToLatest(db, earlier);
  const routing = { trunk_sid: null, voice_url: 'https://example.com/' };
  await sql`insert into number_watches values
    ('+15005550010', 'PN1', ${JSON.stringify(routing)}, 0, '2026-01-15T09:31:00Z'),
    ('+15005550011', 'PN2', ${JSON.stringify(routing)}, 2, '2026-01-15T09:37:00Z')`.execute(db);
  await sql`insert into erasures (pseudonym, user_id, requested_at) values ('erased-1', 'ada', now()), ('erased-2', null, now())`.execute(
    db,
  );
  await sql`insert into leases values ('erasure/erased-1', 'a', now()), ('retention', 'a', now()), ('retention_rest', 'a', now())`.execute(
    db,
  );
  await migrateToLatest(db);
  const watches = await db.selectFrom('work').selectAll().where('kind', '=', 'number_watch').orderBy('key').execute();
  assert.deepEqual(
    watches.map(({ key, payload, due_at }) => [
      key,
      payload.carrier_sid,
      payload.previous_routing,
      due_at.toISOString(),
    ]),
    [
      ['+15005550010', 'PN1', routing, '2026-01-15T09:31:00.000Z'],
      ['+15005550011', 'PN2', routing, '2026-01-15T09:37:00.000Z'],
    ],
  );
  const erasures = await db.selectFrom('work').selectAll().where('kind', '=', 'erasure').execute();
  assert.deepEqual(
    erasures.map(({ key, payload }) => [key, payload]),
    [['erased-1', { actor: REPAIR }]],
  );
  assert.deepEqual(await db.selectFrom('leases').selectAll().execute(), []);
  for (const { payload } of watches)
    assert.equal(Date.parse(String(payload.since)), Date.parse('2026-01-15T09:30:00Z'));
});
