import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { COMPILE_CACHE, NODE } from './program.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Fails unless `npm run rollups -- verify` succeeds. The embedded database must not be in use. */
export function verifyRollups(where: Record<string, string>): void {
  const [node = '', ...options] = NODE;
  const { status, stdout, stderr } = spawnSync(node, [...options, 'packages/server/scripts/rollups.ts', 'verify'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...where },
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
}
