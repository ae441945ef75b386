import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { COMPILE_CACHE, NODE } from '@switchboard/testkit/program.ts';
import { lockDirectory } from '../../src/db/lock.ts';

const script = path.resolve(import.meta.dirname, '../../scripts/keys.ts');
const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-keys-'));
after(() => rm(DATA_DIR, { recursive: true, force: true }));

/** Runs the command as `npm run keys -- …` does. */
async function keys(...args: string[]) {
  const [file = '', ...options] = NODE;
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE, DATA_DIR };
  const child = spawn(file, [...options, script, ...args], { env });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { output, errors, code };
}

test('--help explains the commands and the roles, and exits with 0', async () => {
  const { output, errors, code } = await keys('--help');
  assert.deepEqual([errors, code], ['', 0]);
  for (const part of [
    'keys -- create',
    'keys -- list',
    'keys -- revoke ID',
    'service  ',
    'worker  ',
    'user  ',
    'viewer  ',
    'supervisor  ',
    'admin  ',
    '/api/keys',
  ])
    assert.ok(output.includes(part), part);
});

const MISTAKES: [args: string[], says: RegExp][] = [
  [[], /^Which command\?/],
  [['make'], /^There is no command "make"\./],
  [['create', '--name', 'x', '--role', 'root'], /^--role must be one of viewer, .*, admin, not "root"\./],
  [
    ['create', '--name', 'x', '--role', 'viewer', '--scopes', 'calls,x'],
    /^--scopes must be among agents, .*, not "x"\./,
  ],
  [['create', '--name', 'x', '--role', 'viewer', '--expires', 'soon'], /^--expires must be a date like/],
  [['create', '--role', 'service'], /^create needs --name/],
  [['create', '--name', 'x', '--role', 'user'], /^A key of role user needs --user/],
  [['create', '--name', 'x', '--role', 'service', '--user', 'u'], /^--user is for keys of role user/],
  [['revoke'], /^revoke needs the id/],
  [['create', '--nmae', 'x'], /--nmae/],
];
test('an error is printed before the usage, without a stack trace', async () => {
  for (const [args, says] of MISTAKES) {
    const { errors, code } = await keys(...args);
    assert.match(errors, says);
    assert.match(errors, /\n\nAPI keys, made, listed/);
    assert.ok(!/^ {4}at /m.test(errors), errors);
    assert.equal(code, 1);
  }
});

test('while a service holds the embedded database the command points to POST /api/keys', async () => {
  const unlock = lockDirectory(DATA_DIR);
  const { errors, code } = await keys('create', '--name', 'x', '--role', 'service');
  unlock();
  assert.equal(code, 1);
  assert.match(errors, new RegExp(`in use by process ${process.pid}\\..*\\n.*POST /api/keys`));
});

test('an unknown key id gives a clear message', async () => {
  assert.match(
    (await keys('revoke', 'nothing')).errors,
    /^There is no key with this id: npm run keys -- list shows them\.\n$/,
  );
});
