import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
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
  await sql`
    insert into dial_policy_versions (policy_id, user_id, version, rules, created_at)
    select id, user_id, 1, '{}', now() from dial_policies where name like 'x%'`.execute(db);
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

test('policies, numbers, consents and decisions count as what the user has stored, until they are gone', async () => {
  const service = await startService({ env: { CALLS_PER_SECOND: '100', CALLS_BURST: '100' } });
  const { db } = service.database;
  const send = (method: string, path: string, body?: unknown) => service.request(method, path, { user: USER, body });
  const bytes = async () => {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(bytes), 0)::bigint as bytes from stored_content where user_id = ${USER}`.execute(db);
    assert.equal((await send('GET', `/api/quotas/${USER}`)).body.stored_bytes, rows[0]?.bytes);
    return rows[0]?.bytes ?? 0;
  };
  const agent_id = await createAgent(service);
  const numbers = ['+4930123456', '+4930123457'].map((phone_number) => ({ phone_number }));
  const given = { purpose: 'marketing', kind: 'written', channel: 'web form', obtained_at: '2026-01-01T00:00:00.000Z' };
  const steps: [least: number, method: string, path: string, body: object][] = [
    [200, 'PUT', '/api/dial-policies/p', { is_default: true, min_gap_s: 60 }],
    [200, 'PUT', '/api/dial-policies/p', { min_gap_s: 61 }],
    [800, 'POST', '/api/suppressions', { entries: numbers }],
    [1400, 'POST', '/api/consents', { ...given, ...numbers[0], text: 'x'.repeat(1000) }],
    // A refusal stays, too.
    [400, 'POST', '/api/calls/outbound', { agent_id, ...numbers[0] }],
  ];
  for (const [least, method, path, body] of steps) {
    const before = await bytes();
    await send(method, path, body);
    const added = (await bytes()) - before;
    assert.ok(added >= least && added < least + 2500, `${method} ${path}: ${added}`);
  }
  // The same again, and one that is removed: neither adds anything but its entry of the audit log.
  const before = await bytes();
  await send('POST', '/api/suppressions', { entries: numbers });
  assert.ok((await bytes()) - before < 400);
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  assert.equal((await send('GET', `/api/quotas/${USER}`)).body.stored_bytes, 0);
  // Their hashes are nobody's. A user who returns has the entry again.
  await send('POST', '/api/suppressions', { entries: numbers });
  assert.ok((await bytes()) >= 800);
  await service.close();
});

test('a hostile key that suppresses without end, or is refused without end, ends at its quota', async () => {
  const service = await startService({ env: { AUTH_MODE: 'required', STORED_BYTES_PER_USER: '200000' } });
  const { key } = await keysOf(service.database).create({ name: 'mine', role: 'user', user_id: USER });
  const headers = { authorization: `Bearer ${key}` };
  const send = (method: string, path: string, body: unknown) => service.request(method, path, { headers, body });
  const agent_id = (await send('POST', '/api/agents/', { user_id: USER, name: 'Desk' })).body.id;
  const entries = Array.from({ length: 300 }, (_, index) => ({ phone_number: `+4930${1_000_000 + index}` }));
  assert.equal((await send('POST', '/api/suppressions', { entries })).status, 200);
  const call = { agent_id, phone_number: '+49301000000' };
  let last = await send('POST', '/api/calls/outbound', call);
  assert.equal(last.body.code, 'dial_denied');
  for (let times = 0; times < 500 && last.body.code === 'dial_denied'; times++)
    last = await send('POST', '/api/calls/outbound', call);
  assert.deepEqual([last.status, last.body.code], [403, 'quota_exceeded']);
  assert.equal((await send('POST', '/api/suppressions', { entries })).body.code, 'quota_exceeded');
  await service.close();
});
