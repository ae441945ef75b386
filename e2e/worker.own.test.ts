/** The worker's own checks, which `npm test` does not run: it has dependencies of its own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { installWorker, WORKER_DIR } from '@switchboard/testkit/worker.ts';

await installWorker();

const ROOT = path.resolve(import.meta.dirname, '..');
const { NODE_TEST_CONTEXT: _, ...env } = process.env;
/** Its dozens of files load the library once for several of them. Other tests of the lab run beside them. */
const RUN_TESTS = ['packages/testkit/run-tests.ts', '--test-concurrency=2', '--test-timeout=400000'];
for (const [name, args] of [
  ['type-checks', [path.join(WORKER_DIR, 'node_modules/typescript/bin/tsc'), '-p', WORKER_DIR]],
  ['passes its own tests', [...RUN_TESTS, 'worker/test/*.test.ts']],
] as const)
  test(`the worker ${name}`, { timeout: 620_000 }, () => {
    const options = { cwd: ROOT, env, encoding: 'utf8', timeout: 600_000 } as const;
    const { status, stdout } = spawnSync(process.execPath, args, options);
    assert.equal(status, 0, stdout);
  });
