import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { newId } from '../../src/lib/ids.ts';
import { assertRefused } from '../support/answers.ts';

const service = await startService();
const { db } = service.database;
const FAILING = 101;
const HOUR_MS = 3_600_000;

const rows = Array.from({ length: FAILING + 1 }, (_, nth) => ({
  id: newId(),
  kind: nth < FAILING ? 'test_errand' : 'test_chore',
  key: String(nth),
  payload: '{}',
  due_at: new Date(Date.now() + HOUR_MS),
  attempts: 3,
  last_error: `failed: ${nth}`,
  created_at: new Date(),
}));
await db.insertInto('work').values(rows).execute();
const ofKind = (kind: string) => service.request('GET', `/api/work?kind=${kind}`);

test('operators see a hundred pieces of failing work, and how many there are', async () => {
  const { status, body } = await service.request('GET', '/api/work');
  assert.equal(status, 200);
  const errands = body.kinds.find(({ kind }: { kind: string }) => kind === 'test_errand');
  assert.deepEqual(errands, {
    kind: 'test_errand',
    waiting: FAILING,
    running: 0,
    failing: FAILING,
    oldest_due_at: null,
  });
  assert.equal(body.failing.length, 100);
  assert.deepEqual(
    (await ofKind('test_chore')).body.failing.map(({ subject }: { subject: string }) => subject),
    [String(FAILING)],
  );
});

test('failing work is due at once when an operator says so, which is audited', async () => {
  const [{ id = '' } = {}] = rows;
  const { status, body } = await service.request('POST', `/api/work/${id}/retry`);
  assert.deepEqual([status, body.id, body.attempts, body.is_running], [200, id, 3, false]);
  assert.ok(Date.parse(body.due_at) <= Date.now() + 1000, body.due_at);
  const { kinds } = (await ofKind('test_errand')).body;
  const errands = kinds.find(({ kind }: { kind: string }) => kind === 'test_errand');
  assert.equal(errands.oldest_due_at, body.due_at);
  const { body: log } = await service.request('GET', '/api/audit?action=work.retried');
  assert.deepEqual(
    log.items.map(({ target }: { target: string }) => target),
    [`work/${id}`],
  );
});

test('work that does not exist is a 404, as is a malformed id', async () => {
  for (const id of [newId(), 'x'])
    assertRefused(await service.request('POST', `/api/work/${id}/retry`), 404, 'not_found');
});
