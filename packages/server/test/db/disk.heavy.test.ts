import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { request } from '@switchboard/testkit/client.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { COMPILE_CACHE, killPrograms, NODE, startProgram } from '@switchboard/testkit/program.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { MAIN, readyUrl } from '@switchboard/testkit/service-process.ts';
import { sql } from 'kysely';
import { isDiskFull, watchDisk } from '../../src/db/disk.ts';
import { canMount, diskOf, mountpoint, onSmallDiskWithDatabase } from '../support/small-disk.ts';

const database = await openTestDatabase();
after(() => database.close());
after(killPrograms);
const agent = { name: 'Front desk', user_id: 'user-1' };

test('while the disk is nearly full, writes are refused, reads work, and /readyz says why', async () => {
  let isFull = false;
  const service = await startService({ database: { ...database, kind: 'embedded', isFull: () => isFull } });
  const { id } = (await service.request('POST', '/api/agents/', { body: agent })).body;
  isFull = true;
  // The server looks at the database from time to time.
  const refused = await eventually(
    () => service.request('POST', '/api/agents/', { body: agent }),
    ({ status }) => status !== 201,
  );
  assert.deepEqual([refused.status, refused.body.code], [503, 'database_full']);
  assert.match(refused.body.detail, /disk of the database is full/);
  assert.equal((await service.request('GET', `/api/agents/${id}`)).status, 200);
  const ready = await service.request('GET', '/readyz');
  assert.deepEqual([ready.status, ready.body.status, ready.body.database], [503, 'unavailable', 'disk_full']);
  isFull = false;
  await eventually(
    () => service.request('POST', '/api/agents/', { body: agent }),
    ({ status }) => status === 201,
  );
  assert.equal((await service.request('GET', '/readyz')).status, 200);
});

test('a query refused for lack of space is answered as database_full, and the disk counts as full', async () => {
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

test('the free space is checked repeatedly, and other errors do not count as a full disk', async (t) => {
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

if (canMount()) {
  test('a real disk that fills up while the service runs: writes are refused in time, and work again once there is space', async () => {
    const env = { PATH: process.env.PATH, DATA_DIR: mountpoint, PORT: '0' };
    const service = startProgram(await onSmallDiskWithDatabase(100, [...NODE, MAIN]), { env });
    const url = await service.until(readyUrl);
    const post = () => request(url, { method: 'POST', path: '/api/agents/', body: agent });
    assert.equal((await post()).status, 201);
    const disk = diskOf(service.child.pid);
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(`${disk}/filler`, Buffer.alloc(bavail * bsize - 20e6));
    const refused = await eventually(post, ({ status }) => status !== 201);
    assert.deepEqual([refused.status, refused.body.code], [503, 'database_full']);
    assert.equal((await fetch(`${url}/readyz`)).status, 503);
    assert.equal(
      (await fetch(`${url}/api/agents/?user_id=user-1`, { headers: { 'x-user-id': 'user-1' } })).status,
      200,
    );
    rmSync(`${disk}/filler`);
    await eventually(post, ({ status }) => status === 201);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    assert.equal(await service.end('SIGTERM'), 0, service.output());
  });
  test('a service that starts on a disk that is full says so, and is not ready until there is space', async () => {
    const env = { PATH: process.env.PATH, DATA_DIR: mountpoint, PORT: '0' };
    const twice = ['sh', '-c', '"$@"; "$@"', 'sh', ...NODE, MAIN];
    const service = startProgram(await onSmallDiskWithDatabase(100, twice), { env });
    await service.until(readyUrl);
    assert.doesNotMatch(service.output(), /disk of the database is full/);
    const disk = diskOf(service.child.pid);
    const stop = () => process.kill(JSON.parse(readFileSync(`${disk}/lock-holder`, 'utf8')).pid, 'SIGTERM');
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(`${disk}/filler`, Buffer.alloc(bavail * bsize - 20e6));
    // The shell starts it again.
    stop();
    const url = await service.until((output) => readyUrl(output.split('"stopped"')[1] ?? ''));
    assert.match(service.output(), /ready on .* reads only, because the disk of the database is full: free some space/);
    assert.equal((await fetch(`${url}/readyz`)).status, 503);
    rmSync(`${disk}/filler`);
    await eventually(
      () => fetch(`${url}/readyz`),
      ({ status }) => status === 200,
    );
    stop();
    assert.equal(await service.exit, 0, service.output());
  });
  test('a disk that is full before the first check ends the process with a clear message, and loses nothing', async () => {
    const script = path.resolve(import.meta.dirname, '../support/fill-disk.ts');
    const twice = '"$@"; echo "ended with $?" && rm "$DATA_DIR/filler" && exec "$@" again';
    const [file = '', ...args] = await onSmallDiskWithDatabase(100, ['sh', '-c', twice, 'sh', ...NODE, script]);
    const child = spawn(file, args, { env: { PATH: process.env.PATH, ...COMPILE_CACHE, DATA_DIR: mountpoint } });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(output, 'ended with 1\nanswered by the process before\n', errors);
    assert.match(
      errors,
      /^Switchboard has ended: the embedded database in DATA_DIR .*\/data has stopped \(.*No space left.*\)\. Free some space/,
    );
    assert.doesNotMatch(errors, /^ {4}at /m);
  });
}
