import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, afterEach, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { DirectoryLockedError, lockDirectory } from '../../src/db/lock.ts';
import { DatabaseNotOpenError } from '../../src/db/trouble.ts';
import { canMount, inContainer, mountpoint, onReadOnlyDisk } from '../support/small-disk.ts';

const root = mkdtempSync(path.join(tmpdir(), 'switchboard-lock-'));
const running = new Set<Holder>();
afterEach(async () => {
  for (const holder of running) await holder.kill();
});
after(() => rmSync(root, { recursive: true, force: true }));

const newDirectory = () => mkdtempSync(path.join(root, 'data-'));

type Holder = Awaited<ReturnType<typeof startHolder>>;

/** A process that is ready to lock `dir`; `wrap` has the command line run elsewhere. */
async function startHolder(dir: string, wrap = (command: string[]) => command) {
  const script = path.join(import.meta.dirname, '../support/lock-holder.ts');
  const [command = '', ...args] = wrap([process.execPath, script, dir]);
  // A group of its own, so that what `unshare` has started is reached too.
  const child = spawn(command, args, { stdio: 'pipe', detached: true });
  const errors = text(child.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = once(child, 'exit');
  const nextLine = async () => String((await lines.next()).value);
  assert.equal(await nextLine(), 'ready');
  const signal = (name: NodeJS.Signals) => process.kill(-(child.pid ?? assert.fail()), name);
  const holder = {
    pid: child.pid ?? 0,
    signal,
    /** Tries to lock; gives what came of it. */
    lock: () => {
      child.stdin.write('go\n');
      return nextLine();
    },
    /** Unlocks and ends; gives what it has complained of. */
    leave: async () => {
      child.stdin.end();
      await exited;
      running.delete(holder);
      return errors;
    },
    /** Dies without unlocking. */
    kill: async () => {
      try {
        signal('SIGKILL');
      } catch (error) {
        // A process that was refused has ended by itself.
        assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
      }
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
  const refusal = `${dir} is in use by process ${first.pid}. Stop that process, or set DATA_DIR to another directory.`;
  assert.throws(() => lockDirectory(dir), new DirectoryLockedError(dir, `process ${first.pid}`));
  const second = await startHolder(dir);
  assert.equal(await second.lock(), `refused DirectoryLockedError: ${refusal}`);
});

test('a process cannot lock twice, and keeps its first lock', async () => {
  const dir = newDirectory();
  const unlock = lockDirectory(dir);
  assert.throws(() => lockDirectory(dir), DirectoryLockedError);
  const other = await startHolder(dir);
  assert.match(await other.lock(), new RegExp(`^refused DirectoryLockedError: .* process ${process.pid}\\.`));
  unlock();
});

test('an unlocked directory can be locked again, and nothing is printed', async () => {
  const dir = newDirectory();
  const holder = await startHolder(dir);
  assert.equal(await holder.lock(), 'locked');
  assert.equal(await holder.leave(), '');
  lockDirectory(dir)();
});

test('directories are locked independently', () => {
  const unlocks = [lockDirectory(newDirectory()), lockDirectory(newDirectory())];
  for (const unlock of unlocks) unlock();
});

test('the lock of a process that was killed is free', async () => {
  const dir = newDirectory();
  for (let round = 0; round < 3; round++) {
    const holder = await startHolder(dir);
    assert.equal(await holder.lock(), 'locked');
    await holder.kill();
  }
  lockDirectory(dir)();
});

test('a process that is paused keeps its lock until it is killed', async () => {
  const dir = newDirectory();
  const holder = await startHolder(dir);
  assert.equal(await holder.lock(), 'locked');
  holder.signal('SIGSTOP');
  // However long it has been silent.
  const other = await startHolder(dir);
  assert.match(await other.lock(), new RegExp(`^refused DirectoryLockedError: .* process ${holder.pid}\\.`));
  assert.throws(() => lockDirectory(dir), DirectoryLockedError);
  await holder.kill();
  lockDirectory(dir)();
});

test('exactly one of eight processes that race for the lock of a killed one gets it', async () => {
  const dir = newDirectory();
  const dead = await startHolder(dir);
  assert.equal(await dead.lock(), 'locked');
  await dead.kill();
  const racers = await Promise.all(Array.from({ length: 8 }, () => startHolder(dir)));
  const results = await Promise.all(racers.map((racer) => racer.lock()));
  assert.equal(results.filter((result) => result === 'locked').length, 1, results.join('\n'));
  for (const result of results) if (result !== 'locked') assert.match(result, /^refused DirectoryLockedError/);
});

test('exactly one of eight processes that race for a free directory gets it', async () => {
  const dir = newDirectory();
  const racers = await Promise.all(Array.from({ length: 8 }, () => startHolder(dir)));
  const results = await Promise.all(racers.map((racer) => racer.lock()));
  assert.equal(results.filter((result) => result === 'locked').length, 1, results.join('\n'));
});

test('a holder on another host that shares the directory is named with its host', () => {
  const dir = newDirectory();
  const unlock = lockDirectory(dir);
  const file = path.join(dir, 'lock-holder');
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { pid: process.pid, host: hostname() });
  writeFileSync(file, JSON.stringify({ pid: 1, host: 'other' }));
  assert.throws(() => lockDirectory(dir), new DirectoryLockedError(dir, 'process 1 on other'));
  writeFileSync(file, '');
  assert.throws(() => lockDirectory(dir), new DirectoryLockedError(dir, 'another process'));
  unlock();
});

test('files of other locking schemes, and the name of a dead holder, do not lock', () => {
  const dir = newDirectory();
  writeFileSync(path.join(dir, 'lock.1'), JSON.stringify({ pid: process.pid, started: null, namespace: null }));
  writeFileSync(path.join(dir, 'lock-holder'), JSON.stringify({ pid: 1, host: hostname() }));
  lockDirectory(dir)();
});

test('an invalid lock file gives a clear message', () => {
  const dir = newDirectory();
  writeFileSync(path.join(dir, 'lock'), 'no database, and longer than nothing');
  assert.throws(
    () => lockDirectory(dir),
    (error) => error instanceof DatabaseNotOpenError && /cannot be locked .*Set DATA_DIR/.test(error.message),
  );
});

if (canMount()) {
  test('two containers on one volume, which do not see each other’s processes, exclude each other', async () => {
    const dir = newDirectory();
    const first = await startHolder(dir, inContainer);
    assert.equal(await first.lock(), 'locked');
    const second = await startHolder(dir, inContainer);
    assert.match(await second.lock(), /^refused DirectoryLockedError: .* in use by process 1\./);
    assert.throws(() => lockDirectory(dir), DirectoryLockedError);
    first.signal('SIGSTOP');
    assert.throws(() => lockDirectory(dir), DirectoryLockedError);
    await first.kill();
    // Only `unshare` has ended for certain; the process within is ending.
    await eventually(
      async () => (await startHolder(dir)).lock(),
      (result) => result === 'locked',
    );
  });

  test('a read-only directory is refused as such', async () => {
    const holder = await startHolder(mountpoint, onReadOnlyDisk);
    assert.match(await holder.lock(), /^refused Error: EROFS/);
  });
}

test('a lock ends with its process, not with its file', async () => {
  const dir = newDirectory();
  const holder = await startHolder(dir);
  assert.equal(await holder.lock(), 'locked');
  assert.ok(existsSync(path.join(dir, 'lock')));
  await holder.leave();
  assert.ok(existsSync(path.join(dir, 'lock')), 'whoever waits for the file that stands would lock another one');
});
