// Fingerprints of repeatable requests, which are stored for a day, say nothing of what was in them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { sha256 } from '../../src/lib/canonical-json.ts';

const [OLD, NEW] = [32, 33].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];
/** The fingerprint of a transcript as releases before this one stored it. */
const UNKEYED = sha256(JSON.stringify([{ room_name: 'kept' }, { content: 'a' }]));

/** Replicas on one database with these keys, and what sends them a transcript under one key. */
async function keyed(...secrets: (string | undefined)[]) {
  const database = await openTestDatabase();
  const replicas: Service[] = [];
  for (const keys of secrets) replicas.push(await startService({ database, env: keys ? { SECRETS_KEY: keys } : {} }));
  await replicas[0]?.request('POST', '/api/sessions/', { body: { user_id: USER, room_name: 'kept' } });
  const key = randomUUID();
  const stored = database.db.selectFrom('idempotency_keys').select('fingerprint').where('key', '=', key);
  return {
    database,
    say: (nth: number, content = 'a') => {
      const request = { user: USER, body: { content }, headers: { 'idempotency-key': key } };
      return (replicas[nth] as Service).request('POST', '/api/sessions/by-room/kept/transcripts', request);
    },
    stored: async () => (await stored.executeTakeFirstOrThrow()).fingerprint,
    close: async () => {
      for (const replica of replicas) await replica.close();
      await database.close();
    },
  };
}

test('what was said cannot be guessed from the fingerprint of its request, while a key is set', async () => {
  const { say, stored, close } = await keyed(OLD, `${OLD},${NEW}`, `${NEW},${OLD}`, NEW, undefined);
  const first = await say(0);
  assert.match(await stored(), /^[0-9a-f]{16}\.[A-Za-z0-9_-]{43}$/);
  // Also while the key is being replaced, and for one who cannot compare any more.
  for (const nth of [0, 1, 2, 3, 4]) assert.deepEqual((await say(nth)).body, first.body);
  for (const nth of [0, 1, 2]) assert.equal((await say(nth, 'b')).status, 422);
  await close();
});

test('processes of an earlier release beside this one refuse no request that is repeated', async () => {
  const { database, say, stored, close } = await keyed(OLD);
  const from = (hours: number) =>
    sql`update installation set fingerprints_keyed_from = now() + ${hours} * interval '1 hour'`.execute(database.db);
  await from(1);
  const first = await say(0);
  assert.equal(await stored(), UNKEYED);
  await from(-1);
  assert.deepEqual((await say(0)).body, first.body);
  assert.equal((await say(0, 'b')).status, 422);
  await close();
});

test('without a key fingerprints are what they were', async () => {
  const { say, stored, close } = await keyed(undefined);
  await say(0);
  assert.equal(await stored(), UNKEYED);
  await close();
});

test('keyed fingerprints begin at once in a new database, and a day after the upgrade of an earlier one', async () => {
  const { database, close } = await keyed(undefined);
  const { db } = database;
  const hours = async () => {
    const from = sql`extract(epoch from fingerprints_keyed_from - now()) / 3600`;
    const { rows } = await sql<{ hours: number | null }>`
      select round(${from})::integer as hours from installation`.execute(db);
    return rows[0]?.hours;
  };
  assert.equal(await hours(), null);
  await sql`alter table installation drop column fingerprints_keyed_from`.execute(db);
  const file = new URL('../../src/db/migrations/0183_keyed_fingerprints.sql', import.meta.url);
  const statements = (await readFile(file, 'utf8')).replaceAll(/^--.*$/gm, '').split(';');
  for (const statement of statements.filter((one) => one.trim() !== '')) await sql.raw(statement).execute(db);
  assert.equal(await hours(), 24);
  await close();
});
