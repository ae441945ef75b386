import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertState, assertWrong, DATA_DIR, databaseOf, doctor } from './support/doctor.ts';

test('the process on the port must be Switchboard, and use the configured database', async (t) => {
  const [ours, another] = [await startService(), await startService()];
  const foreign = await serveHttp((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"status":"ok","database":"ok","migrations":"ok"}');
  });
  t.after(foreign.close);
  const env = databaseOf(ours);
  const stranger = await doctor(env, foreign.url);
  assertWrong(stranger, 'service', /answers HTTP 200, not as Switchboard does\. Correct PORT or --service-url\./);
  assertWrong(await doctor(env, another.url), 'service', /another Switchboard, on another database/);
  const right = await doctor(env, ours.url);
  assertState(right, 'ok', 'service');
  assert.equal(right.code, 0);
  const unused = await doctor({ DATA_DIR: path.join(DATA_DIR, 'unused') }, ours.url);
  assertWrong(unused, 'service', /another Switchboard/);
});
