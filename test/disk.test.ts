import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { isDiskFull, watchDisk } from '../src/db/disk.ts';
import { systemClock } from '../src/lib/clock.ts';
import { openTestDatabase, startService } from './support/service.ts';
import { canMount, diskOf, mountpoint, onSmallDisk } from './support/small-disk.ts';

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

if (canMount()) {
  test('a real disk that fills up while the service runs: refused in time, and well again when there is space', async () => {
    const main = path.resolve(import.meta.dirname, '../src/main.ts');
    const env = { PATH: process.env.PATH, DATA_DIR: mountpoint, PORT: '0' };
    const [file = '', ...args] = onSmallDisk(100, [process.execPath, main]);
    const child = spawn(file, args, { env });
    after(() => void child.kill('SIGKILL'));
    const gone = once(child, 'exit');
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    while (!output.includes('is ready on'))
      await Promise.race([once(child.stdout, 'data'), gone.then(() => assert.fail(output))]);
    const url = /ready on (http:\/\/[^\s"]+)/.exec(output)?.[1] ?? assert.fail(output);
    const post = async () => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/api/agents/`, { method: 'POST', headers, body: JSON.stringify(agent) });
      return { status: answer.status, body: (await answer.json()) as { code?: string } };
    };
    assert.equal((await post()).status, 201);
    const disk = diskOf(child.pid);
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(`${disk}/filler`, Buffer.alloc(bavail * bsize - 20e6));
    const refused = await until(post, ({ status }) => status !== 201);
    assert.deepEqual([refused.status, refused.body.code], [503, 'database_full']);
    assert.equal((await fetch(`${url}/readyz`)).status, 503);
    assert.equal(
      (await fetch(`${url}/api/agents/?user_id=user-1`, { headers: { 'x-user-id': 'user-1' } })).status,
      200,
    );
    rmSync(`${disk}/filler`);
    await until(post, ({ status }) => status === 201);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await gone, [0, null], output);
  });
  test('a disk that is full before anybody has looked ends the process with a sentence, and loses nothing', async () => {
    const script = path.resolve(import.meta.dirname, 'support/fill-disk.ts');
    const again = 'rm "$DATA_DIR/filler" && exec "$0" "$1" again';
    const twice = ['sh', '-c', `"$0" "$1"; echo "ended with $?" && ${again}`, process.execPath, script];
    const [file = '', ...args] = onSmallDisk(100, twice);
    const child = spawn(file, args, { env: { PATH: process.env.PATH, DATA_DIR: mountpoint } });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(output, 'ended with 1\nanswered by the process before\n', errors);
    assert.match(
      errors,
      /^Switchboard has ended: the embedded database in DATA_DIR .*\/data has stopped \(.*No space left.*\)\. Free some space/,
    );
    assert.doesNotMatch(errors, /^ {4}at /m);
  });
}
