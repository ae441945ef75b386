import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startProgram } from '@switchboard/testkit/program.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../../../../examples/web-call');

test('the server of examples/web-call, which starts calls for everybody, listens to this machine alone', async (t) => {
  const port = await freePort();
  const example = startProgram([process.execPath, 'server.js'], { cwd: EXAMPLE, env: { PORT: String(port) } });
  t.after(() => example.end('SIGKILL'));
  await example.until((output) => output.includes('http://'));
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
  // An address of this machine that a server on all interfaces has too.
  await assert.rejects(fetch(`http://127.0.0.2:${port}/`));
});
