// Secrets that callers say, in the forms and languages of docs/privacy.md, to a worker that redacts nothing and the
// service: none of their bytes are in a log, the server's files, a backup, the store, or what was sent.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '@switchboard/testkit/ports.ts';
import { missingPostgres, startPostgres } from '@switchboard/testkit/postgres.ts';
import { openDatabase } from '../../src/db/open.ts';
import { bytesIn } from '../support/bytes.ts';
import { assertKept, byAnotherWorker, plant } from '../support/planted.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-planted-'));
after(() => rm(dir, { recursive: true, force: true }));

test('secrets are in no file of PostgreSQL, and in no dump of it', {
  skip: missingPostgres() ?? false,
}, async () => {
  const server = await startPostgres(await freePort());
  try {
    const url = await server.createDatabase('planted');
    const database = await openDatabase({ url, dir: '', poolMax: 10, onIdleError: () => {} });
    await plant(dir, database, byAnotherWorker).finally(() => database.close());
    assertKept('a dump', [await dump(url)]);
    await server.kill();
    assertKept('the files of PostgreSQL', (await bytesIn(server.dir)).values());
  } finally {
    await server.remove();
  }
});

/** A backup by the command of docs/operations.md, which is compressed, as SQL. */
async function dump(url: string): Promise<Buffer> {
  const page = await readFile(path.resolve(import.meta.dirname, '../../../../docs/operations.md'), 'utf8');
  const command = /^pg_dump .*$/m.exec(page)?.[0] ?? assert.fail('docs/operations.md has no command');
  execFileSync('sh', ['-c', command], { cwd: dir, env: { ...process.env, DATABASE_URL: url } });
  const options = { cwd: dir, maxBuffer: 2 ** 30 };
  return execFileSync('pg_restore', ['--file=-', 'switchboard.dump'], options);
}
