import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { isDiskFull, watchDisk } from '../src/db/disk.ts';
import { systemClock } from '../src/lib/clock.ts';
import { openTestDatabase, startService } from './support/service.ts';

const database = await openTestDatabase();
after(() => database.close());
const agent = { name: 'Front desk', user_id: 'user-1' };

test('while the disk is nearly full nothing is stored, what is there can be read, and /readyz says why', async () => {
  let isFull = false;
  const service = await startService({ database: { ...database, kind: 'embedded', isFull: () => isFull } });
  const { id } = (await service.request('POST', '/api/agents/', { body: agent })).body;
  isFull = true;
  // The server looks at the database from time to time.
  const refused = await until(
    () => service.request('POST', '/api/agents/', { body: agent }),
    ({ status }) => status !== 201,
  );
  assert.deepEqual([refused.status, refused.body.code], [503, 'database_full']);
  assert.match(refused.body.detail, /disk of the database is full/);
  assert.equal((await service.request('GET', `/api/agents/${id}`)).status, 200);
  const ready = await service.request('GET', '/readyz');
  assert.deepEqual([ready.status, ready.body.status, ready.body.database], [503, 'unavailable', 'disk_full']);
  isFull = false;
  await until(
    () => service.request('POST', '/api/agents/', { body: agent }),
    ({ status }) => status === 201,
  );
  assert.equal((await service.request('GET', '/readyz')).status, 200);
});

test('a query that the database refuses for want of space is answered as such, and the disk counts as full', async () => {
  const own = await openTestDatabase();
  const service = await startService({ database: own });
  // The error that PostgreSQL gives when a table cannot grow.
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`.execute(
    own.db,
  );
  await sql`create trigger refuse before insert on agents for each row execute function refuse()`.execute(own.db);
  const { status, body } = await service.request('POST', '/api/agents/', { body: agent });
  assert.deepEqual([status, body.code], [503, 'database_full']);
  const ready = await service.request('GET', '/readyz');
  assert.deepEqual([ready.status, ready.body.database], [503, 'disk_full']);
  await service.close();
  await own.close();
});

test('the free space is looked at again and again, and no other error is taken for a full disk', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let free: number | null = 1e9;
  const disk = watchDisk(async () => free);
  const after = async (bytes: number | null) => {
    free = bytes;
    t.mock.timers.tick(1_000);
    await new Promise(setImmediate);
    return disk.isFull();
  };
  assert.deepEqual(
    [await after(1e9), await after(31e6), await after(33e6), await after(null)],
    [false, true, false, false],
  );
  assert.equal(isDiskFull(Object.assign(new Error('out of memory'), { code: '53200' })), false);
  disk.stop();
});

async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    await systemClock.sleep(20);
  }
}
