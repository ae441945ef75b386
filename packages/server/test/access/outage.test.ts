// While the database is away, the metrics alone are still there for the keys of monitoring.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import type { Database } from '../../src/db/database.ts';
import { AppError } from '../../src/lib/errors.ts';
import { assertRefused } from '../support/answers.ts';

const env = { AUTH_MODE: 'required' };
const REMEMBERED_MS = 15 * 60_000;
const withCode = (code: string) => Object.assign(new Error(`failed: ${code}`), { code });
const DOWN = withCode('ECONNREFUSED');

const database = await openTestDatabase();
after(() => database.close());
const keys = keysOf(database);
const create = async (name: string, role: 'service' | 'worker' = 'service') => {
  const { id, key } = await keys.create({ name, role });
  return { id, headers: { authorization: `Bearer ${key}` } };
};
type Key = Awaited<ReturnType<typeof create>>;
const root = await create('root');

/** The same database, which this service sees fail, or not answer, once told so. */
function failing(real: Database) {
  let answer = async () => {};
  const db = real.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await answer();
      return result;
    },
  });
  return {
    database: { ...real, db },
    fails: (error: Error) => {
      answer = () => Promise.reject(error);
    },
    /** Returns what has it answer again. */
    hangs: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      answer = () => promise;
      return resolve;
    },
    works: () => {
      answer = async () => {};
    },
  };
}

async function start() {
  const clock = createTestClock();
  const fault = failing(database);
  const service = await startService({ env, clock, database: fault.database });
  return { clock, fault, service };
}

const scrape = (service: Service, { headers }: Key) => service.request('GET', '/metrics', { headers });
const isStale = (service: Service) => service.logged().some((line) => line.includes('database gauges are stale'));

test('while the database is away, a key that was accepted before still gets the metrics, for 15 minutes', async () => {
  const { clock, fault, service } = await start();
  const [seen, unseen, worker] = [await create('seen'), await create('unseen'), await create('worker', 'worker')];
  assert.equal((await scrape(service, root)).status, 200);
  // Accepted anywhere in the API.
  assert.equal((await service.request('GET', '/api/keys', { headers: seen.headers })).status, 200);
  assertRefused(await scrape(service, worker), 403, 'role_not_allowed');
  clock.advance(60_000);
  fault.fails(DOWN);
  const { status, body } = await scrape(service, seen);
  assert.deepEqual([status, isStale(service)], [200, true]);
  assert.match(body, /^calls_open{call_status="ANSWERED"} 0$/m);
  assertRefused(await scrape(service, unseen), 503, 'database_unavailable');
  assertRefused(await scrape(service, worker), 403, 'role_not_allowed');
  // Nothing else that it needs is in the database.
  const settings = await service.request('GET', '/api/settings', { headers: seen.headers });
  assertRefused(settings, 503, 'database_unavailable');
  clock.advance(REMEMBERED_MS - 60_000 - 1);
  assert.equal((await scrape(service, seen)).status, 200);
  clock.advance(1);
  assertRefused(await scrape(service, seen), 503, 'database_unavailable');
  fault.works();
  assert.equal((await scrape(service, seen)).status, 200);
  await service.close();
});

test('an overloaded database is away too, one that fails otherwise is not', async () => {
  const { clock, fault, service } = await start();
  assert.equal((await scrape(service, root)).status, 200);
  clock.advance(1_000);
  for (const error of [new AppError('overloaded'), withCode('53300'), withCode('40001')]) {
    fault.fails(error);
    assert.equal((await scrape(service, root)).status, 200, error.message);
  }
  fault.fails(withCode('42P01'));
  assertRefused(await scrape(service, root), 500, 'internal_error');
  await service.close();
});

test('a database that does not answer keeps nobody from the metrics for longer than monitoring waits', async () => {
  const { clock, fault, service } = await start();
  assert.equal((await scrape(service, root)).status, 200);
  clock.advance(1_000);
  const answer = fault.hangs();
  const begun = performance.now();
  assert.equal((await scrape(service, root)).status, 200);
  const ms = performance.now() - begun;
  assert.ok(ms < 8_000, `${ms} ms`);
  answer();
  fault.works();
  await service.close();
});

test('a key that was revoked or has expired before the database went away stays refused', async () => {
  const { clock, fault, service } = await start();
  const elsewhere = await startService({ env, clock, database });
  const [here, there, brief] = [await create('here'), await create('there'), await create('brief')];
  const expires_at = new Date(clock.now().getTime() + 120_000);
  await database.db.updateTable('api_keys').set({ expires_at }).where('id', '=', brief.id).execute();
  for (const key of [here, there, brief]) assert.equal((await scrape(service, key)).status, 200);
  for (const [replica, { id }] of [
    [service, here],
    [elsewhere, there],
  ] as const)
    assert.equal((await replica.request('POST', `/api/keys/${id}/revoke`, { headers: root.headers })).status, 200);
  clock.advance(1_000);
  // A look-up by any operation tells what another process has revoked.
  assertRefused(await service.request('GET', '/api/keys', { headers: there.headers }), 401, 'unauthenticated');
  fault.fails(DOWN);
  for (const key of [here, there]) assertRefused(await scrape(service, key), 503, 'database_unavailable');
  assert.equal((await scrape(service, brief)).status, 200);
  clock.advance(120_000);
  assertRefused(await scrape(service, brief), 503, 'database_unavailable');
  await elsewhere.close();
  await service.close();
});
