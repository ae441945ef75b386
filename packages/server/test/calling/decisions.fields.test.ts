import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { watchStatements } from '../support/statements.ts';

const NUMBER = '+15005550160';
const database = await openTestDatabase();
after(() => database.close());
const sent = watchStatements(database);
const service = await startService({ database });
const ask = (method: string, path: string, body?: object) =>
  service.request(method, path, { user: 'me', ...(body && { body }) });
const config = { compliance: { policy: 'strict' } };
const { body: agent } = await ask('POST', '/api/agents/', { name: 'Desk', user_id: 'me', config });
await ask('PUT', '/api/dial-policies/strict', { requires_consent: [{ purpose: 'marketing' }] });
await ask('PUT', '/api/dial-policies/lenient', {});

test('a request cannot name another policy than its agent, nor a campaign', async () => {
  const call = { agent_id: agent.id, phone_number: NUMBER };
  for (const extra of [{ policy: 'lenient' }, { campaign_id: agent.id }, { policy: { a: 1 }, campaign_id: '\u0000' }]) {
    const { status, body } = await ask('POST', '/api/calls/outbound', { ...call, ...extra });
    assert.deepEqual([status, body.code], [409, 'dial_denied'], JSON.stringify(extra));
  }
  const { items } = (await ask('GET', '/api/dial-decisions')).body;
  assert.equal(items.length, 3);
  for (const { policy, inputs } of items) {
    assert.equal(policy, 'strict');
    assert.ok(!('campaign_id' in inputs) || inputs.campaign_id === null, JSON.stringify(inputs));
  }
  const later = { ...call, at: new Date(Date.now() + 86_400_000).toISOString(), purpose: 'service', policy: 'lenient' };
  const { status, body } = await ask('POST', '/api/calls/outbound', later);
  assert.equal(status, 201);
  const { rows } = await database.db
    .selectFrom('scheduled_calls')
    .select('request')
    .where('id', '=', body.call_id)
    .execute()
    .then((found) => ({ rows: found }));
  assert.ok(!('policy' in JSON.parse(rows[0]?.request ?? '{}')));
});

test('a suppression of an agent applies whatever the case of its id', async () => {
  const entries = [{ phone_number: NUMBER, scope: 'agent', scope_id: agent.id.toUpperCase() }];
  assert.equal((await ask('POST', '/api/suppressions', { entries })).status, 200);
  const call = { agent_id: agent.id, phone_number: NUMBER, purpose: 'service' };
  const { status, body } = await ask('POST', '/api/calls/outbound', call);
  assert.deepEqual([status, body.decision?.reasons[0]?.rule], [409, 'suppression']);
});

const consent = {
  phone_number: '+15005550162',
  purpose: 'marketing',
  kind: 'express_written',
  channel: 'form',
  text: 'Yes.',
  obtained_at: '2026-01-15T09:30:00.000Z',
};

test('a consent whose clock is a little ahead counts at once, as obtained now', async () => {
  const phone_number = '+15005550163';
  const obtained_at = new Date(Date.now() + 40_000).toISOString();
  const { status, body } = await ask('POST', '/api/consents', { ...consent, phone_number, obtained_at });
  assert.deepEqual([status, body.obtained_at], [201, body.created_at]);
  const check = await ask('POST', '/api/dial-checks', { agent_id: agent.id, phone_number, purpose: 'marketing' });
  assert.equal(check.body.outcome, 'allow', JSON.stringify(check.body));
});

test('what forbids calls waits for those that are being placed', async () => {
  const { body: given } = await ask('POST', '/api/consents', consent);
  const changes: [string, () => Promise<{ status: number }>, string][] = [
    [
      'a suppression',
      () => ask('POST', '/api/suppressions', { entries: [{ phone_number: '+15005550161' }] }),
      'insert into suppressions',
    ],
    ['the end of a consent', () => ask('POST', `/api/consents/${given.id}/revoke`), 'update "consents"'],
    [
      'a version of a policy',
      () => ask('PUT', '/api/dial-policies/lenient', { min_gap_s: 60 }),
      'insert into "dial_policy_versions"',
    ],
  ];
  for (const [what, change, write] of changes) {
    const before = sent.length;
    assert.equal((await change()).status, 200, what);
    const statements = sent.slice(before).map(({ sql }) => sql.trim());
    const locked = statements.findIndex((text) => text.startsWith('insert into call_allowances'));
    const written = statements.findIndex((text) => text.includes(write));
    assert.ok(locked >= 0 && locked < written, `${what}: ${locked} ${written}`);
  }
  // The allowance that it has added is full: the next calls of a new user are placed.
  const { body: other } = await service.request('POST', '/api/agents/', { body: { name: 'Desk', user_id: 'new' } });
  const as = { user: 'new' };
  await service.request('POST', '/api/suppressions', { ...as, body: { entries: [{ phone_number: '+15005550161' }] } });
  for (const last of ['2', '3', '4']) {
    const body = { agent_id: other.id, phone_number: `+1500555016${last}` };
    assert.equal((await service.request('POST', '/api/calls/outbound', { ...as, body })).status, 201);
  }
});
