import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { COMPILE_CACHE, NODE } from '@switchboard/testkit/program.ts';
import { copyTemplate } from '@switchboard/testkit/template.ts';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/open.ts';
import { canMount, mountpoint, onSmallDisk } from '../support/small-disk.ts';

const main = path.resolve(import.meta.dirname, '../../src/main.ts');
const scratch = await mkdtemp(path.join(tmpdir(), 'switchboard-troubles-'));
after(() => rm(scratch, { recursive: true, force: true }));
// Making a database takes seconds of computing.
await copyTemplate(path.join(scratch, 'data'));
const PASSWORD = 'hunter2-hunter2';

/** Starts the service, which ends at once, and returns the one sentence that it prints. */
async function complaint(env: Record<string, string>, command = [...NODE, main]): Promise<string> {
  const [file = '', ...args] = command;
  const DATA_DIR = path.join(scratch, 'data');
  const child = spawn(file, args, { env: { PATH: process.env.PATH, ...COMPILE_CACHE, PORT: '0', DATA_DIR, ...env } });
  // A service that starts after all is stopped, and found out by its exit code.
  child.stdout.on('data', (chunk) => /is ready on/.test(String(chunk)) && child.kill());
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const all = `${output}${errors}`;
  assert.equal(code, 1, all);
  assert.ok(!all.includes(PASSWORD), all);
  assert.match(all, /^Switchboard cannot start: .+\.\n$/);
  return all;
}

/** A TCP server that does with each connection what it is told, and its port. */
async function listening(t: { after(done: () => void): void }, greet: (socket: net.Socket) => void): Promise<number> {
  const server = net.createServer((socket) => greet(socket.on('error', () => {})));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('the message for a port in use names its variable', async (t) => {
  const port = await listening(t, () => {});
  const sentence = await complaint({ PORT: String(port) });
  assert.match(sentence, new RegExp(`PORT ${port} at 127\\.0\\.0\\.1 is in use by another process\\. .*set PORT`));
});

test('the message for an address of another machine names its variable', async () => {
  assert.match(
    await complaint({ HOST: '203.0.113.1', AUTH_MODE: 'open' }),
    /HOST 203\.0\.113\.1 is no address of this/,
  );
});

test('the message for an unreachable database names its variable and hides the password', async () => {
  const DATABASE_URL = `postgres://switchboard:${PASSWORD}@127.0.0.1:1/calls`;
  const sentence = await complaint({ DATABASE_URL });
  assert.match(sentence, /127\.0\.0\.1:1\/calls \(DATABASE_URL\) cannot be reached: nothing listens there/);
});

test('a database that closes the connection at once gives a clear message', async (t) => {
  const port = await listening(t, (socket) => socket.end());
  const sentence = await complaint({ DATABASE_URL: `postgres://switchboard:${PASSWORD}@127.0.0.1:${port}/calls` });
  assert.match(sentence, /\(DATABASE_URL\) cannot be reached/);
});

// /proc takes no directories, and with /sys it answers root too as a read-only disk answers everybody.
const UNUSABLE: [dir: () => Promise<string>, says: RegExp][] = [
  [async () => '/proc/switchboard/data', /DATA_DIR \/proc\/switchboard\/data cannot be used: .*set DATA_DIR/i],
  [async () => '/sys/switchboard', /DATA_DIR \/sys\/switchboard cannot be used: .*(not write|read-only)/],
  [async () => '/dev/null/x', /DATA_DIR \/dev\/null\/x cannot be used: it is not a directory/],
  [() => newFile('file'), /DATA_DIR .*\/file cannot be used: it is not a directory/],
];
for (const [directory, says] of UNUSABLE) {
  test(`an unusable DATA_DIR fails at once: ${says}`, async () => {
    assert.match(await complaint({ DATA_DIR: await directory() }), says);
  });
}

test('a database of another version is refused with a clear message', async () => {
  const DATA_DIR = path.join(scratch, 'other-version');
  await copyTemplate(DATA_DIR);
  const database = await openDatabase({ dir: DATA_DIR, poolMax: 1, onIdleError: () => {} });
  await sql`update kysely_migration set name = '0001_foundation' where name like '0001%'`.execute(database.db);
  await database.close();
  assert.match(await complaint({ DATA_DIR }), /made by another version .*0001_foundation.* set .*DATA_DIR to an empty/);
});

async function newFile(name: string): Promise<string> {
  const file = path.join(scratch, name);
  await writeFile(file, '');
  return file;
}

for (const megabytes of canMount() ? [1, 20, 39] : []) {
  test(`a disk of ${megabytes} MB that is full at the first start gives a clear message and leaves nothing incomplete`, async () => {
    // A database that is made, and could not be filled with tables, is gone on with at the next start.
    const left = 'ls -A "$DATA_DIR" | grep -vx -e pg -e installation -e lock; exit $code';
    const start = ['sh', '-c', `"$@"; code=$?; ${left}`, 'sh', ...NODE, main];
    const sentence = await complaint({ DATA_DIR: mountpoint }, onSmallDisk(megabytes, start));
    assert.match(sentence, /DATA_DIR .*\/data: the disk is full \(\d+ MB free.*Free some space, or set DATA_DIR/);
  });
}

test('a database that stops during its creation gives a clear message and leaves nothing incomplete', async () => {
  const DATA_DIR = path.join(scratch, 'limited');
  await mkdir(DATA_DIR);
  // None of its files may have more than a megabyte.
  const limited = ['sh', '-c', 'ulimit -f 2000; exec "$@"', 'sh', ...NODE, main];
  assert.match(
    await complaint({ DATA_DIR }, limited),
    /DATA_DIR .*\/limited cannot be used: files may not be as large there .*Set DATA_DIR to a directory/,
  );
  assert.deepEqual(await readdir(DATA_DIR), ['lock']);
});

/** PostgreSQL's protocol: the server's answer to a client that wants to connect. */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from('E'), length, fields]);
}

for (const [what, code, message, expected] of [
  [
    'whose disk is full',
    '53100',
    'could not extend file: No space left on device',
    /disk or memory is full\. Free some/,
  ],
  [
    'that demands TLS, when no sslmode is given,',
    '28000',
    'no pg_hba.conf entry for host "127.0.0.1", user "switchboard", database "calls", no encryption',
    /refuses connections without TLS\. Add \?sslmode=verify-full to DATABASE_URL/,
  ],
  [
    'that refuses the password',
    '28P01',
    'password authentication failed',
    /refuses the user "switchboard" or its password/,
  ],
] as const)
  test(`the message for a database ${what} says what to do`, async (t) => {
    const port = await listening(t, (socket) => socket.once('data', () => socket.end(refusal(code, message))));
    const DATABASE_URL = `postgres://switchboard:${PASSWORD}@127.0.0.1:${port}/calls`;
    assert.match(await complaint({ DATABASE_URL }), expected);
  });

test('the message for a database that needs a user says where to name it', async (t) => {
  const answer = refusal('28P01', 'password authentication failed');
  const port = await listening(t, (socket) => socket.once('data', () => socket.end(answer)));
  assert.match(
    await complaint({ DATABASE_URL: `postgres://127.0.0.1:${port}/calls` }),
    /DATABASE_URL names none\. Write it as postgres:\/\/user:password@127\.0\.0\.1:\d+\/calls/,
  );
});

test('a start in open mode beyond loopback warns that it is open to the network, on loopback it does not', async () => {
  const warnings = async (env: Record<string, string>) => {
    const DATA_DIR = path.join(scratch, 'data');
    const [file = '', ...options] = NODE;
    const child = spawn(file, [...options, main], {
      env: { PATH: process.env.PATH, ...COMPILE_CACHE, PORT: '0', DATA_DIR, ...env },
    });
    child.stdout.on('data', (chunk) => /is ready on/.test(String(chunk)) && child.kill());
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return (
      output.match(/OPEN TO THE NETWORK: .* HOST 0\.0\.0\.0 .* change everything, and place calls\./g)?.length ?? 0
    );
  };
  assert.equal(await warnings({ HOST: '0.0.0.0', AUTH_MODE: 'open' }), 1);
  assert.equal(await warnings({ HOST: '127.0.0.1' }), 0);
});
