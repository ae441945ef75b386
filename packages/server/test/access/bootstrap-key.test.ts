import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';

const BOOTSTRAP_KEY = `sb_${randomBytes(32).toString('hex')}`;
const env = { AUTH_MODE: 'required', BOOTSTRAP_KEY };
const database = await openTestDatabase();
after(() => database.close());
const headers = { authorization: `Bearer ${BOOTSTRAP_KEY}` };

test('BOOTSTRAP_KEY gives access to a fresh service; repeated starts create one key, stored as a hash', async () => {
  // Two replicas that start at the same time, and one later.
  const services = await Promise.all([startService({ database, env }), startService({ database, env })]);
  services.push(await startService({ database, env }));
  for (const service of services) {
    const { status, body } = await service.request('GET', '/api/keys', { headers });
    assert.equal(status, 200);
    assert.deepEqual(
      body.items.map(({ name, role }: { name: string; role: string }) => [name, role]),
      [['bootstrap', 'service']],
    );
  }
  const rows = await database.db.selectFrom('api_keys').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(BOOTSTRAP_KEY));
  const [service] = services;
  const audit = await service?.request('GET', '/api/audit', { headers });
  assert.deepEqual(
    audit?.body.items.map(({ action, actor }: { action: string; actor: string }) => [action, actor]),
    [['key.created', 'command']],
  );
});

test('a revoked bootstrap key stays revoked after a restart', async () => {
  const service = await startService({ database, env });
  const [{ id }] = (await service.request('GET', '/api/keys', { headers })).body.items;
  assert.equal((await service.request('POST', `/api/keys/${id}/revoke`, { headers })).status, 200);
  const next = await startService({ database, env });
  assert.equal((await next.request('GET', '/api/keys', { headers })).status, 401);
});
