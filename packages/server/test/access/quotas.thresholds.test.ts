import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';

const LIMIT = 1_000_000;
const database = await openTestDatabase();
const { db } = database;
const env = { STORED_BYTES_PER_USER: String(LIMIT), ENCRYPT_CONTENT: 'false' };
/** Two replicas. */
const services = [await startService({ database, env }), await startService({ database, env })];
const [service] = services;
assert.ok(service);

const subscribe = (user: string, events?: string[]) =>
  service.request('POST', '/api/webhook-endpoints', { user, body: { url: 'https://example.com/quota', events } });

/** Has the database find that so many bytes more were stored for the user, in a minute that has passed. */
async function grow(user_id: string, bytes: number): Promise<void> {
  const at = sql<Date>`now() - interval '2 minutes'`;
  await db.insertInto('storage_changes').values({ user_id, bytes, written: 0, at }).execute();
  await settled();
}

/** Rounds of both, until what they have asked for is done. */
async function settled(): Promise<void> {
  await Promise.all(services.map(({ app }) => app.reconcile()));
  const left = () => db.selectFrom('work').select('key').where('kind', '=', 'quota_threshold').execute();
  await eventually(left, (rows) => rows.length === 0);
}

/** Bytes that are counted of a user, and what the database will add. */
async function bytesOf(user_id: string): Promise<number> {
  await sql`update storage_changes set at = now() - interval '2 minutes'`.execute(db);
  await settled();
  const row = await db.selectFrom('stored_bytes').select('bytes').where('user_id', '=', user_id).executeTakeFirst();
  return row?.bytes ?? 0;
}

async function queued(user_id: string) {
  const query = db.selectFrom('callbacks').select('payload').where('user_id', '=', user_id);
  const rows = await query.where('type', '=', 'quota.threshold').orderBy('created_at').orderBy('id').execute();
  return rows.map(({ payload }) => JSON.parse(String(payload)).data);
}
const thresholds = async (user_id: string) => (await queued(user_id)).map(({ threshold }) => threshold);

test('each threshold is reported once when it is crossed, and again only after the bytes fell below', async () => {
  await subscribe('one', ['quota.threshold']);
  const before = await bytesOf('one');
  await grow('one', 799_999 - before);
  assert.deepEqual(await queued('one'), []);
  await grow('one', 1);
  assert.deepEqual(await queued('one'), [
    { user_id: 'one', threshold: 80, stored_bytes: 800_000, stored_bytes_limit: LIMIT },
  ]);
  // The event itself has been stored, too.
  await grow('one', 10);
  await grow('one', 250_000);
  await grow('one', 10);
  assert.deepEqual(await thresholds('one'), [80, 100]);
  await grow('one', -100_000);
  await grow('one', 100_000);
  assert.deepEqual(await thresholds('one'), [80, 100, 100]);
  await grow('one', -900_000);
  assert.deepEqual(await thresholds('one'), [80, 100, 100]);
  await grow('one', 900_000);
  assert.deepEqual(await thresholds('one'), [80, 100, 100, 80, 100]);
});

test('an endpoint that takes all events gets it, one that takes others does not, and nobody is told of others', async () => {
  await subscribe('all');
  await subscribe('others', ['call.report']);
  for (const user of ['all', 'others', 'nobody']) await grow(user, 850_000);
  assert.deepEqual(await thresholds('all'), [80]);
  assert.deepEqual([await queued('others'), await queued('nobody')], [[], []]);
  // An endpoint that is added later gets what happens later.
  await subscribe('nobody');
  await grow('nobody', 10);
  assert.deepEqual(await queued('nobody'), []);
  await grow('nobody', 150_000);
  assert.deepEqual(await thresholds('nobody'), [100]);
});

test('a threshold is not recorded without its event, and reported once whatever fails in between', async () => {
  await subscribe('torn');
  await sql`alter table callbacks add constraint none check (user_id <> 'torn') not valid`.execute(db);
  const at = sql<Date>`now() - interval '2 minutes'`;
  await db.insertInto('storage_changes').values({ user_id: 'torn', bytes: 850_000, written: 0, at }).execute();
  const work = db.selectFrom('work').select(['id', 'last_error']).where('key', '=', 'torn');
  await eventually(
    async () => {
      await service.app.reconcile();
      return work.executeTakeFirst();
    },
    (row) => Boolean(row?.last_error),
  );
  const row = await db.selectFrom('stored_bytes').selectAll().where('user_id', '=', 'torn').executeTakeFirstOrThrow();
  assert.deepEqual([row.bytes >= 850_000, row.reported], [true, 0]);
  await sql`alter table callbacks drop constraint none`.execute(db);
  const { id } = await work.executeTakeFirstOrThrow();
  await service.request('POST', `/api/work/${id}/retry`);
  await settled();
  assert.deepEqual(await thresholds('torn'), [80]);
  await settled();
  assert.deepEqual(await thresholds('torn'), [80]);
});

test('an erasure leaves no event, nor a count, of a user who has just reached a threshold', async () => {
  await subscribe('gone');
  const at = sql<Date>`now() - interval '2 minutes'`;
  await db.insertInto('storage_changes').values({ user_id: 'gone', bytes: 850_000, written: 0, at }).execute();
  const rounds = services.map(({ app }) => app.reconcile());
  const erased = service.request('DELETE', '/api/users/gone');
  assert.equal((await erased).status, 200);
  await Promise.all(rounds);
  await settled();
  for (const table of ['callbacks', 'stored_bytes', 'webhook_endpoints'] as const)
    assert.deepEqual(await db.selectFrom(table).select('user_id').where('user_id', '=', 'gone').execute(), [], table);
});
