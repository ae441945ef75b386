import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';

test('a user has up to 100 policies of up to 200 rules of a kind, and adds up to 5,000 suppressions at once', async () => {
  const clock = createTestClock('2027-01-12T03:00:00.000Z');
  const service = await startService({ clock });
  const { db } = service.database;
  const send = (method: string, path: string, body?: unknown) => service.request(method, path, { user: USER, body });
  const put = (name: string, rules: object = {}) => send('PUT', `/api/dial-policies/${name}`, rules);
  const holidays = (count: number) => ({ holidays: Array.from({ length: count }, () => ({ date: '12-25' })) });
  assert.equal((await put('p', holidays(200))).status, 200);
  assert.equal((await put('p', holidays(201))).status, 422);
  assert.equal((await put('p', { max_attempts: [{ count: 101, days: 1 }] })).status, 422);
  assert.equal((await put('p', { max_attempts: [{ count: 100, days: 1 }] })).status, 200);
  await sql`update dial_policy_versions set version = 1000 where version = 2`.execute(db);
  await sql`update dial_policies set version = 1000`.execute(db);
  const full = await put('p', { min_gap_s: 1 });
  assert.deepEqual([full.status, full.body.code], [409, 'too_many_policies']);
  await sql`
    insert into dial_policies (id, user_id, name, version, is_default, created_at)
    select gen_random_uuid(), ${USER}, 'x' || i, 1, false, now() from generate_series(1, 98) as i`.execute(db);
  await sql`insert into dial_policy_versions select id, 1, '{}', now() from dial_policies where name like 'x%'`.execute(
    db,
  );
  assert.equal((await put('hundredth')).status, 200);
  assert.equal((await put('another')).body.code, 'too_many_policies');

  const entries = (count: number) => ({
    entries: Array.from({ length: count }, (_, index) => ({ phone_number: `+4930${1_000_000 + index}` })),
  });
  assert.deepEqual((await send('POST', '/api/suppressions', entries(5_000))).body, { added: 5_000, changed: 0 });
  assert.equal((await send('POST', '/api/suppressions', entries(5_001))).status, 422);
  const { items } = (await send('GET', '/api/suppressions?limit=1')).body;
  assert.equal((await send('DELETE', `/api/suppressions/${items[0].id}`)).status, 204);
  const removed = () => db.selectFrom('suppressions').select('id').where('deleted_at', 'is not', null).execute();
  await service.app.reconcile();
  assert.equal((await removed()).length, 1);
  clock.advance(91 * 24 * 3_600_000);
  await service.app.reconcile();
  assert.equal((await removed()).length, 0);
  await service.close();
});
