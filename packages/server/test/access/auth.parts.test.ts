import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused } from '../support/answers.ts';
import { ask } from '../support/principals.ts';

const sessionOf = async () =>
  (await ask('owner', 'POST', '/api/sessions/', { body: { user_id: 'owner' } })).body as { id: string };
const [session, corrected] = [await sessionOf(), await sessionOf()];
const usage = {
  session_id: session.id,
  user_id: 'owner',
  provider: 'p',
  event_type: 'llm_tokens',
  quantity: 1,
  unit_cost: 1,
  total_cost: 1,
};
const credit = { ...usage, total_cost: '-0.01' };
/** Parts of operations that not all of their roles may use, with the roles that the 403 names. */
const PARTS: [what: string, method: string, path: string, body: object, allowed: string[], named: RegExp][] = [
  ['a usage event', 'POST', '/api/usage/events', usage, ['worker', 'service'], /worker, service or admin/],
  ['a correction', 'POST', '/api/usage/events', credit, ['service'], /role service or admin\./],
  [
    'a correction of a quantity',
    'POST',
    '/api/usage/events',
    { ...usage, quantity: -1 },
    ['service'],
    /role service or admin\./,
  ],
  [
    'a correction in a batch',
    'POST',
    '/api/usage/events/batch',
    { events: [usage, credit] },
    ['service'],
    /role service or admin\./,
  ],
  [
    'a duration',
    'PATCH',
    `/api/sessions/${corrected.id}`,
    { duration: 5 },
    ['worker', 'service'],
    /worker, service or admin/,
  ],
  [
    'a time of end',
    'PATCH',
    `/api/sessions/${corrected.id}`,
    { ended_at: '2030-01-01T00:00:00Z' },
    ['worker', 'service'],
    /worker, service or admin/,
  ],
];
for (const [what, method, path, body, allowed, named] of PARTS) {
  test(`${what} is written by ${allowed.join(' and ')} alone`, async () => {
    for (const who of ['owner', 'owner by JWT', 'worker', 'service']) {
      const { status, body: answer } = await ask(who, method, path, { body });
      if (allowed.includes(who)) assert.ok(status < 300, `${who}: ${status}`);
      else assert.deepEqual([who, status, answer.code], [who, 403, 'role_not_allowed']);
      // A role that may use the rest of the operation is told of the part.
      if (status === 403) assert.match(answer.detail, who === 'worker' ? named : /role .*service/);
    }
  });
}

test('negative zero is not a correction', async () => {
  for (const total_cost of ['-0', '-0.00', '+1', 0])
    assert.equal((await ask('worker', 'POST', '/api/usage/events', { body: { ...usage, total_cost } })).status, 201);
});

test('in open mode anyone may write the ledger and a session’s figures', async () => {
  const open = await startService();
  const { id } = (await open.request('POST', '/api/sessions/', { user: 'u', body: { user_id: 'u' } })).body;
  const event = { ...credit, user_id: 'u' };
  assert.equal((await open.request('POST', '/api/usage/events', { user: 'u', body: event })).status, 201);
  assert.equal((await open.request('PATCH', `/api/sessions/${id}`, { user: 'u', body: { duration: 5 } })).status, 200);
});

test('a cost report on users needs a service key; others have their own', async () => {
  for (const query of ['group_by=user', 'group_by=day&user_id=owner']) {
    assert.equal((await ask('owner', 'GET', `/api/costs/report?${query}`)).status, 403, query);
    assert.equal((await ask('service', 'GET', `/api/costs/report?${query}`)).status, 200, query);
  }
  const another = await ask('service', 'GET', '/api/costs/report?group_by=day&user_id=owner', { user: 'other' });
  assertRefused(another, 403, 'wrong_user');
  assert.match(another.body.detail, /in the query/);
  const amounts = { quantity: 1, unit_cost: 1, total_cost: 1 };
  for (const user_id of ['owner', 'other']) {
    const event = { session_id: 's', provider: 'by-user', event_type: 'llm_tokens', user_id, ...amounts };
    assert.equal((await ask('service', 'POST', '/api/usage/events', { body: event })).status, 201);
  }
  const total = async (who: string) =>
    (await ask(who, 'GET', '/api/costs/report?group_by=day&provider=by-user')).body.total_cost;
  assert.deepEqual([await total('owner'), await total('service')], ['1', '2']);
});
