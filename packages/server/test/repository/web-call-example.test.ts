import assert from 'node:assert/strict';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startProgram } from '@switchboard/testkit/program.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../../../../examples/web-call');
const COMMAND = [process.execPath, 'server.js'];
const NAMES = { USER_ID: 'user-1', AGENT_ID: 'agent-1' };

/** The example, once it listens. */
async function start(t: TestContext, env: NodeJS.ProcessEnv = {}) {
  const port = await freePort();
  const example = startProgram(COMMAND, { cwd: EXAMPLE, env: { ...NAMES, PORT: String(port), ...env } });
  t.after(() => example.end('SIGKILL'));
  await example.until((output) => output.includes('http://'));
  return port;
}

test('the server of examples/web-call, which starts calls for everybody, listens to this machine alone', async (t) => {
  const port = await start(t);
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
  // An address of this machine that a server on all interfaces has too.
  await assert.rejects(fetch(`http://127.0.0.2:${port}/`));
});

test('it survives an answer that breaks off, and a file that is not installed', async (t) => {
  const service = await serveHttp((_, response) => {
    response.writeHead(201, { 'content-length': 100 }).write('{', () => response.destroy());
  });
  t.after(service.close);
  const port = await start(t, { SWITCHBOARD_URL: service.url });
  const call = await fetch(`http://127.0.0.1:${port}/call`, { method: 'POST' });
  assert.deepEqual([call.status, await call.json()], [502, { detail: 'Switchboard does not answer.' }]);
  const files = await Promise.all(
    ['/', '/livekit-client.js', '/package.json'].map((file) => fetch(`http://127.0.0.1:${port}${file}`)),
  );
  const [page, library, other] = files.map(({ status, headers }) => [status, headers.get('content-type')]);
  assert.deepEqual(page, [200, 'text/html']);
  // Installed on machines that have run the tests of calls in browsers.
  assert.match(String(library), /^(404,|200,text\/javascript)$/);
  assert.deepEqual(other, [404, null]);
});

test('it does not start without the names of the agent and of its user', async (t) => {
  for (const name of Object.keys(NAMES)) {
    const example = startProgram(COMMAND, { cwd: EXAMPLE, env: { ...NAMES, [name]: undefined, PORT: '0' } });
    t.after(() => example.end('SIGKILL'));
    const exit = await Promise.race([example.exit, example.until((output) => output.includes('http://'), 10_000)]);
    assert.equal(exit, 1);
    assert.match(example.output(), /Set USER_ID and AGENT_ID/);
  }
});
