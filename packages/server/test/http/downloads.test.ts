import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';

const schema = path.resolve(import.meta.dirname, '../../../scenarios/scenario.schema.json');

test('the command that tests agents and the schema of scenarios are files that nobody needs a key for', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required' } });
  const command = await fetch(`${service.url}/agent-tests.mjs`);
  assert.deepEqual([command.status, command.headers.get('content-type')], [200, 'text/javascript; charset=utf-8']);
  assert.match(await command.text(), /^import \{ createRequire \}/);
  const described = await fetch(`${service.url}/schemas/scenario.json`);
  assert.deepEqual([described.status, described.headers.get('content-type')], [200, 'application/json; charset=utf-8']);
  assert.deepEqual(await described.json(), JSON.parse(readFileSync(schema, 'utf8')));
  const known = { 'if-none-match': described.headers.get('etag') ?? '' };
  assert.equal((await fetch(`${service.url}/schemas/scenario.json`, { headers: known })).status, 304);
  await service.close();
});
