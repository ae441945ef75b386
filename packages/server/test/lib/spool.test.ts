import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readlink, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { createSpool } from '../../src/lib/spool.ts';

const PART = `${'x'.repeat(999)}\n`;
const parts = (count: number) => Array.from({ length: count }, (_, index) => `${index}${PART}`);

async function read(text: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const part of text) all.push(Buffer.from(part));
  return Buffer.concat(all).toString();
}

/** A spool whose readers stay until they have read or left off. */
function openSpool(maxBytes?: number) {
  const spool = createSpool(maxBytes);
  return (write: Parameters<typeof spool>[0]) => spool(write, new AbortController().signal);
}

for (const count of [0, 1, 1000, 5000]) {
  test(`a text of ${count} parts is read as it was written, while it is written and afterwards`, async () => {
    const spool = openSpool();
    const all = parts(count);
    const writing = spool(async (push) => {
      for (const part of all) await push(part);
    });
    assert.equal(await read(writing), all.join(''));
    let isWritten = false;
    const written = spool(async (push) => {
      for (const part of all) await push(part);
      isWritten = true;
    });
    const first = await written.next();
    await eventually(
      async () => isWritten,
      (is) => is,
    );
    const rest = await read(written);
    assert.equal((first.value ?? '').toString() + rest, all.join(''));
  });
}

test('a writer does not wait for its reader, and leaves no file behind', async () => {
  const spool = openSpool();
  let pushed = 0;
  const text = spool(async (push) => {
    for (const part of parts(5000)) {
      await push(part);
      pushed += 1;
    }
  });
  await text.next();
  await eventually(
    async () => pushed,
    (count) => count === 5000,
  );
  const left = (await readdir(tmpdir())).filter((name) => /^switchboard-[0-9a-f]{8}-[0-9a-f]{4}-/.test(name));
  assert.deepEqual(left, []);
  await text.return(undefined);
});

for (const how of ['leaves off', 'has gone, without a word to the text,']) {
  test(`a writer whose reader ${how} is stopped`, async () => {
    const leaves = new AbortController();
    let stopped: unknown;
    const text = createSpool()(async (push) => {
      try {
        for (;;) await push(PART);
      } catch (error) {
        stopped = error;
        throw error;
      }
    }, leaves.signal);
    await text.next();
    if (how === 'leaves off') await text.return(undefined);
    else leaves.abort();
    await eventually(
      async () => String(stopped),
      (error) => error.includes('nobody reads'),
    );
    await text.return(undefined);
  });
}

test('texts share their room on the disk: one beyond it breaks off, and another has room again afterwards', async () => {
  const spool = openSpool(2_000_000);
  /** A text that nobody reads until it is written, or has failed. */
  async function unread() {
    let isOver = false;
    const text = spool(async (push) => {
      try {
        for (const part of parts(2500)) await push(part);
      } finally {
        isOver = true;
      }
    });
    await text.next();
    await eventually(
      async () => isOver,
      (is) => is,
    );
    return text;
  }
  const held = await unread();
  await assert.rejects(read(await unread()), { code: 'too_many_exports' });
  await held.return(undefined);
  await read(await unread());
});

test('two texts are written at once, and the third when one of them is done', async () => {
  const spool = openSpool();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2].map((index) =>
    read(
      spool(async (push) => {
        begun.push(index);
        await new Promise<void>((resolve) => {
          ends[index] = resolve;
        });
        await push(`${index}`);
      }),
    ),
  );
  await eventually(
    async () => begun,
    (list) => list.length === 2,
  );
  ends[1]?.();
  assert.equal(await all[1], '1');
  await eventually(
    async () => begun,
    (list) => list.length === 3,
  );
  ends[0]?.();
  ends[2]?.();
  assert.deepEqual(await Promise.all(all), ['0', '1', '2']);
});

test('a text whose reader disconnects while it is queued is never written, and others are written instead', async () => {
  const spool = createSpool();
  const begun: string[] = [];
  const running: (() => void)[] = [];
  const write = (name: string) => async (push: (text: string) => Promise<void>) => {
    begun.push(name);
    if (name !== 'next') await new Promise<void>((resolve) => running.push(resolve));
    await push(name);
  };
  const { signal: stays } = new AbortController();
  const held = ['first', 'second'].map((name) => read(spool(write(name), stays)));
  const leaves = new AbortController();
  const left = Array.from({ length: 60 }, () => read(spool(write('left'), leaves.signal)));
  const next = read(spool(write('next'), stays));
  leaves.abort();
  assert.deepEqual(new Set(await Promise.all(left)), new Set(['']));
  running[0]?.();
  assert.equal(await next, 'next');
  running[1]?.();
  assert.deepEqual(
    [await Promise.all(held), begun],
    [
      ['first', 'second'],
      ['first', 'second', 'next'],
    ],
  );
});

test('a text whose reader disconnects before its first part ends with its writer, which is stopped', async () => {
  const leaves = new AbortController();
  const work = Promise.withResolvers<void>();
  let stopped: unknown;
  const text = createSpool()(async (push) => {
    await work.promise;
    await push('late').catch((error: unknown) => {
      stopped = error;
    });
  }, leaves.signal);
  const first = text.next();
  leaves.abort();
  work.resolve();
  assert.deepEqual(await first, { done: true, value: undefined });
  assert.match(String(stopped), /nobody reads/);
});

test('a text that cannot be written completely fails after its written part has been read', async () => {
  const text = openSpool()(async (push) => {
    await push('a');
    throw new Error('lost');
  });
  assert.equal((await text.next()).value?.toString(), 'a');
  await assert.rejects(text.next(), /lost/);
});

const MIB = 1024 * 1024;

/** Reads a text of 3 MiB in a process whose files may have 1 or 2, as `sh` counts. */
const ON_A_FULL_DISK = `
  const { createSpool } = await import(${JSON.stringify(new URL('../../src/lib/spool.ts', import.meta.url).href)});
  const seen = { bytes: 0, empty: 0 };
  try {
    for await (const { length } of createSpool()((push) => push('x'.repeat(3 * ${MIB})), new AbortController().signal)) {
      seen.bytes += length;
      if (length === 0 && ++seen.empty > 100) break;
    }
  } catch (error) {
    seen.code = error.code;
  }
  console.log(JSON.stringify(seen));
`;

test('a text that a full disk takes a part of breaks off', async () => {
  const limited = ['-c', 'ulimit -f 2048 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e'];
  const { stdout } = await promisify(execFile)('sh', [...limited, ON_A_FULL_DISK]);
  assert.deepEqual(JSON.parse(stdout), { bytes: 0, empty: 0, code: 'no_temporary_space' });
});

test('a text whose file is truncated fails', { skip: process.platform !== 'linux' }, async () => {
  const text = openSpool()(async (push) => {
    await push('x');
    await push('x'.repeat(2 * MIB));
  });
  assert.equal((await text.next()).value?.toString(), 'x');
  await text.next();
  for (const fd of await readdir('/proc/self/fd')) {
    const name = await readlink(`/proc/self/fd/${fd}`).catch(() => '');
    if (name.startsWith(`${tmpdir()}/switchboard-`) && name.endsWith(' (deleted)')) {
      await truncate(`/proc/self/fd/${fd}`);
    }
  }
  await assert.rejects(read(text), /ends at \d+ of \d+ bytes/);
});

test('a text that the disk takes nothing of gives its room back', async () => {
  const spool = openSpool(3 * MIB);
  const beyondMemory = () => read(spool((push) => push('x'.repeat(2 * MIB))));
  const directory = process.env.TMPDIR;
  process.env.TMPDIR = '/nonexistent';
  try {
    await assert.rejects(beyondMemory(), { code: 'no_temporary_space' });
    await assert.rejects(beyondMemory(), { code: 'no_temporary_space' });
  } finally {
    if (directory === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = directory;
  }
  assert.equal((await beyondMemory()).length, 2 * MIB);
});
