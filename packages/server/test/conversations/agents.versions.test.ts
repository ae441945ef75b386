import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';

const service = await startService();
const { body: agent } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'me' } });
const path = `/api/agents/${agent.id}`;
const rename = (name: string, tag?: string) =>
  service.request('PATCH', path, { user: 'me', body: { name }, headers: { ...(tag && { 'if-match': tag }) } });

test('a change for a version that is no longer the newest is refused, and changes nothing', async () => {
  const read = await service.request('GET', path, { user: 'me' });
  const tag = read.headers.get('etag') ?? '';
  assert.equal(tag, `"${read.body.updated_at}"`);
  const first = await rename('First', tag);
  assert.equal(first.status, 200);
  assert.equal(first.headers.get('etag'), `"${first.body.updated_at}"`);
  const late = await rename('Late', tag);
  assert.deepEqual([late.status, late.body.code], [412, 'changed_meanwhile']);
  const { body } = await service.request('GET', path, { user: 'me' });
  assert.deepEqual([body.name, body.updated_at], ['First', first.body.updated_at]);
  assert.equal((await rename('Second', `"other", "${body.updated_at}"`)).status, 200);
  assert.equal((await rename('Third', '*')).status, 200);
  for (const tag of ['"other"', 'W/"weak"', 'unquoted']) assert.equal((await rename('Fourth', tag)).status, 412, tag);
});

test('without If-Match a change is made whatever the version is', async () => {
  assert.equal((await rename('Fifth')).status, 200);
});

test('each change is a version of its own, also within a millisecond, and so is a callback URL', async () => {
  const versions = [];
  for (let index = 0; index < 20; index++) versions.push((await rename(`Name ${index}`)).body.updated_at);
  assert.equal(new Set(versions).size, 20);
  await service.request('PUT', `${path}/callback-url`, { user: 'me', body: { callback_url: 'https://example.com/' } });
  assert.equal((await rename('Late', `"${versions.at(-1)}"`)).status, 412);
});

test('two changes of the same version at the same time: one is made', async () => {
  const { headers } = await service.request('GET', path, { user: 'me' });
  const tag = headers.get('etag') ?? '';
  const statuses = (await Promise.all([rename('A', tag), rename('B', tag)])).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 412]);
});
