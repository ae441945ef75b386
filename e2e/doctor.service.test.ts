import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { startService } from '../test/support/service.ts';
import { assertState, assertWrong, DATA_DIR, databaseOf, doctor } from './support/doctor.ts';

test('what listens must be Switchboard, and the one that works on the database of this configuration', async (t) => {
  const [ours, another] = [await startService(), await startService()];
  const foreign = http.createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"status":"ok","database":"ok","migrations":"ok"}');
  });
  await once(foreign.listen(0, '127.0.0.1'), 'listening');
  t.after(() => void foreign.close());
  const { port } = foreign.address() as AddressInfo;
  const env = databaseOf(ours);
  const stranger = await doctor(env, `http://127.0.0.1:${port}`);
  assertWrong(stranger, 'service', /answers HTTP 200, not as Switchboard does\. Correct PORT or --service-url\./);
  assertWrong(await doctor(env, another.url), 'service', /another Switchboard, on another database/);
  const right = await doctor(env, ours.url);
  assertState(right, 'ok', 'service');
  assert.equal(right.code, 0);
  const unused = await doctor({ DATA_DIR: path.join(DATA_DIR, 'unused') }, ours.url);
  assertWrong(unused, 'service', /another Switchboard/);
});
