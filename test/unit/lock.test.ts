import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, mock, test } from 'node:test';
import { DirectoryLockedError, lockDirectory } from '../../src/db/lock.ts';
import { eventually } from '../support/service.ts';

const root = mkdtempSync(path.join(tmpdir(), 'switchboard-lock-'));
const running = new Set<Holder>();
afterEach(async () => {
  for (const holder of running) await holder.kill();
});
after(() => rmSync(root, { recursive: true, force: true }));

const namespace = fs.existsSync('/proc/self/ns/pid') ? fs.readlinkSync('/proc/self/ns/pid') : null;
const newDirectory = () => mkdtempSync(path.join(root, 'data-'));
const lockFiles = (dir: string) => readdirSync(dir).filter((name) => name.startsWith('lock'));

type Holder = Awaited<ReturnType<typeof startHolder>>;

/** A process that is ready to lock `dir`. */
async function startHolder(dir: string) {
  const script = path.join(import.meta.dirname, '../support/lock-holder.ts');
  const child = spawn(process.execPath, [script, dir], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = once(child, 'exit');
  const nextLine = async () => String((await lines.next()).value);
  assert.equal(await nextLine(), 'ready');
  const holder = {
    pid: child.pid ?? 0,
    /** Tries to lock; gives what came of it. */
    lock: () => {
      child.stdin.write('go\n');
      return nextLine();
    },
    /** Unlocks and ends. */
    leave: async () => {
      child.stdin.end();
      await exited;
      running.delete(holder);
    },
    /** Dies without unlocking. */
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
      running.delete(holder);
    },
  };
  running.add(holder);
  return holder;
}

test('a second process is refused, naming the first', async () => {
  const dir = newDirectory();
  const first = await startHolder(dir);
  assert.equal(await first.lock(), 'locked');
  assert.throws(
    () => lockDirectory(dir),
    (error: Error) => error instanceof DirectoryLockedError && error.message.includes(`process ${first.pid}`),
  );
  const second = await startHolder(dir);
  assert.match(await second.lock(), new RegExp(`^refused DirectoryLockedError: .*process ${first.pid}\\b`));
});

test('a process is refused what it holds itself', () => {
  const dir = newDirectory();
  const unlock = lockDirectory(dir);
  assert.throws(() => lockDirectory(dir), DirectoryLockedError);
  unlock();
});

test('an unlocked directory can be locked again, and no file is left over', async () => {
  const dir = newDirectory();
  const holder = await startHolder(dir);
  assert.equal(await holder.lock(), 'locked');
  await holder.leave();
  assert.deepEqual(lockFiles(dir), []);
  lockDirectory(dir)();
  assert.deepEqual(lockFiles(dir), []);
});

test('directories are locked each on its own', () => {
  const unlocks = [lockDirectory(newDirectory()), lockDirectory(newDirectory())];
  for (const unlock of unlocks) unlock();
});

test('the lock of a process that was killed is taken over', async () => {
  const dir = newDirectory();
  for (let round = 0; round < 3; round++) {
    const holder = await startHolder(dir);
    assert.equal(await holder.lock(), 'locked');
    await holder.kill();
  }
  lockDirectory(dir)();
  assert.deepEqual(lockFiles(dir), []);
});

test('the lock of a dead process whose number another process has now is taken over', {
  skip: !fs.existsSync('/proc'),
}, () => {
  const dir = newDirectory();
  writeFileSync(path.join(dir, 'lock.1'), JSON.stringify({ pid: process.pid, started: '1', namespace }));
  lockDirectory(dir)();
});

test('of eight processes that race for the lock of a dead one exactly one gets it', async () => {
  const dir = newDirectory();
  const dead = await startHolder(dir);
  assert.equal(await dead.lock(), 'locked');
  await dead.kill();
  const racers = await Promise.all(Array.from({ length: 8 }, () => startHolder(dir)));
  const results = await Promise.all(racers.map((racer) => racer.lock()));
  const winners = racers.filter((_, index) => results[index] === 'locked');
  assert.equal(winners.length, 1, results.join('\n'));
  for (const result of results) if (result !== 'locked') assert.match(result, /DirectoryLockedError/);
  assert.deepEqual(lockFiles(dir).length, 1);
  await winners[0]?.leave();
  assert.deepEqual(lockFiles(dir), []);
});

test('of eight processes that race for a free directory exactly one gets it', async () => {
  const dir = newDirectory();
  const racers = await Promise.all(Array.from({ length: 8 }, () => startHolder(dir)));
  const results = await Promise.all(racers.map((racer) => racer.lock()));
  assert.equal(results.filter((result) => result === 'locked').length, 1, results.join('\n'));
});

test('a process that was slow to take over a dead one’s lock does not push out whoever holds it now', async () => {
  const dir = newDirectory();
  const dead = await startHolder(dir);
  assert.equal(await dead.lock(), 'locked');
  await dead.kill();
  const holder = await startHolder(dir);
  const link = fs.linkSync;
  // Just before this process creates its lock, another one has taken over, left, and a third has come.
  const slow = mock.method(fs, 'linkSync', (from: string, to: string) => {
    slow.mock.restore();
    syncBuiltinESMExports();
    rmSync(path.join(dir, 'lock.1'));
    writeFileSync(path.join(dir, 'lock.1'), JSON.stringify({ pid: holder.pid, started: null, namespace }));
    link(from, to);
  });
  syncBuiltinESMExports();
  assert.throws(() => lockDirectory(dir), DirectoryLockedError);
  assert.deepEqual(lockFiles(dir), ['lock.1']);
});

test('a lock of another container, whose processes cannot be seen from here, holds as long as it is kept fresh', () => {
  const dir = newDirectory();
  const file = path.join(dir, 'lock.1');
  writeFileSync(file, JSON.stringify({ pid: 1, started: '1', namespace: 'pid:[1]' }));
  assert.throws(() => lockDirectory(dir), DirectoryLockedError);
  const silentSince = new Date(Date.now() - 60_000);
  fs.utimesSync(file, silentSince, silentSince);
  lockDirectory(dir)();
});

test('a living holder keeps its lock fresh', async () => {
  const dir = newDirectory();
  const holder = await startHolder(dir);
  assert.equal(await holder.lock(), 'locked');
  const file = path.join(dir, lockFiles(dir)[0] ?? '');
  const silentSince = new Date(Date.now() - 60_000);
  fs.utimesSync(file, silentSince, silentSince);
  await eventually(
    async () => fs.statSync(file).mtime,
    (mtime) => mtime > silentSince,
  );
});
