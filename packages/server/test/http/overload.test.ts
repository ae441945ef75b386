import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { registerOverload } from '../../src/http/overload.ts';

test('a stall of seconds is not overload where longer delays are allowed', async () => {
  const server = fastify();
  await registerOverload(server, { maxDelayMs: 600_000, isDatabaseBehind: () => false, isDatabaseFull: () => false });
  server.get('/', () => 'ok');
  await server.ready();
  // Each turn of the loop outlasts the time over which delays are sampled, so that there is no sample.
  for (let turn = 0; turn < 4; turn++) {
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200);
  }
  await new Promise(setImmediate);
  assert.equal((await server.inject('/')).statusCode, 200);
  await server.close();
});
