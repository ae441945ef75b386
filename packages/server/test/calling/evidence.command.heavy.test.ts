// The command that manages the keys of evidence.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { COMPILE_CACHE, NODE } from '@switchboard/testkit/program.ts';

const script = path.resolve(import.meta.dirname, '../../scripts/evidence-keys.ts');
const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-evidence-keys-'));
after(() => rm(DATA_DIR, { recursive: true, force: true }));

/** Runs the command as `npm run evidence-keys -- …` does. */
async function keys(...args: string[]) {
  const [file = '', ...options] = NODE;
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE, DATA_DIR };
  return promisify(execFile)(file, [...options, script, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

test('keys are listed, and a new one is the first of them', async () => {
  const first = await keys('list');
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^[\w-]{43} {2}made \d{4}-\S+Z {2}public key [\w-]{43}\n$/);
  const { stdout } = await keys('rotate');
  const [newest, before, end] = stdout.split('\n');
  assert.notEqual(newest, before);
  assert.deepEqual([`${before}\n`, end], [first.stdout, '']);
  assert.equal((await keys('list')).stdout, stdout);
  const wrong = await keys('make');
  assert.deepEqual([wrong.code, /^There is no command "make"\./.test(wrong.stderr)], [1, true]);
});
