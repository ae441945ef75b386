import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { problemsOf } from '../support/answers.ts';

const service = await startService();
for (const user_id of ['beta', 'alpha', 'alpha', 'al', 'ämil', 'gone'])
  await service.request('POST', '/api/agents/', { body: { name: 'A', user_id } });
const [gone] = (await service.request('GET', '/api/agents/', { user: 'gone' })).body;
await service.request('DELETE', `/api/agents/${gone.id}`);

async function users(query: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await service.request('GET', `/api/users?${query}${cursor && `&cursor=${cursor}`}`);
    assert.equal(status, 200);
    found.push(...body.items.map(({ user_id }: { user_id: string }) => user_id));
    cursor = body.next_cursor;
  }
  return found;
}

test('users that have agents are listed once each, in pages, by the beginning of their ids', async () => {
  for (const query of ['', 'limit=1', 'limit=2'])
    assert.deepEqual((await users(query)).sort(), ['al', 'alpha', 'beta', 'ämil'], query);
  assert.deepEqual(await users('prefix=al'), ['al', 'alpha']);
  assert.deepEqual(await users('prefix=al&limit=1'), ['al', 'alpha']);
  assert.deepEqual(await users('prefix=%25'), []);
  const cursor = Buffer.from('\0').toString('base64url');
  assert.deepEqual(problemsOf(await service.request('GET', `/api/users?cursor=${cursor}`)), [
    'query.cursor value_error',
  ]);
});
