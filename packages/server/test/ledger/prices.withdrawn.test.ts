import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { timeIds } from '../../src/lib/ids.ts';
import { problemsOf } from '../support/answers.ts';

const clock = createTestClock('2026-03-01T12:00:00.000Z');
timeIds(() => clock.now().getTime());
after(() => timeIds(Date.now));
const service = await startService({ clock });
const put = (body: unknown, type = 'application/json') =>
  service.request('PUT', '/api/prices', { body, headers: { 'content-type': type } });
const record = async (...entries: object[]) => {
  const answer = await put({ entries: entries.map((entry) => ({ event_type: 'llm_tokens', ...entry })) });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.entries;
};
const list = async (query: string): Promise<Json[]> =>
  (await service.request('GET', `/api/prices?limit=100&${query}`)).body.items;
/** The unit cost of an event that is logged now; null for none. */
async function costOf(provider: string, fields: object = {}) {
  const event = { session_id: 's', user_id: 'u', provider, event_type: 'llm_tokens', quantity: '1', ...fields };
  const { body } = await service.request('POST', '/api/usage/events/batch', { body: { events: [event] } });
  const [logged] = body.events;
  return logged.is_unpriced ? null : logged.unit_cost;
}

test('a price that is withdrawn holds until its day; events from then on are unpriced, until a later price', async () => {
  const key = { provider: 'ends' };
  await record({ ...key, price: '1', valid_from: '2026-01-01' });
  assert.equal(await costOf('ends'), '1', 'its price is known');
  await record(
    { ...key, is_withdrawn: true, valid_from: '2026-03-10' },
    { ...key, price: '3', valid_from: '2026-03-20' },
  );
  const costs: [string, string | null][] = [];
  for (const day of ['09', '10', '19', '20', '25']) {
    clock.set(`2026-03-${day}T00:00:00.000Z`);
    costs.push([day, await costOf('ends')]);
  }
  assert.deepEqual(costs, [
    ['09', '1'],
    ['10', null],
    ['19', null],
    ['20', '3'],
    ['25', '3'],
  ]);
  assert.equal((await service.request('POST', '/api/prices/apply')).body.priced, 0);
});

test('a withdrawn price gives way to a less specific one, and changes no other', async () => {
  clock.set('2026-04-10T00:00:00.000Z');
  const valid_from = '2026-01-01';
  await record(
    { provider: 'specific', price: '1', valid_from },
    { provider: 'specific', model: 'large', price: '5', valid_from },
    { provider: 'specific', model: 'small', price: '0.5', valid_from },
    { provider: 'specific', model: 'large', is_withdrawn: true, valid_from: '2026-04-01' },
  );
  assert.deepEqual(await Promise.all(['large', 'small'].map((model) => costOf('specific', { model }))), ['1', '0.5']);
  await record({ provider: 'specific', is_withdrawn: true, valid_from: '2026-04-01' });
  assert.deepEqual(await Promise.all(['large', 'small'].map((model) => costOf('specific', { model }))), [null, '0.5']);
});

test('nothing is overwritten: a withdrawal is a version of its own, which another one may replace', async () => {
  clock.set('2026-05-10T00:00:00.000Z');
  const key = { provider: 'versions' };
  const withdrawn = { ...key, is_withdrawn: true, valid_from: '2026-05-01' };
  assert.deepEqual(await record({ ...key, price: '1', valid_from: '2026-01-01' }, withdrawn), ['added', 'added']);
  assert.deepEqual(await record(withdrawn), ['unchanged']);
  assert.equal(await costOf('versions'), null);
  assert.deepEqual(await record({ ...key, price: '2', valid_from: '2026-05-01' }), ['replaced']);
  assert.equal(await costOf('versions'), '2');
  assert.deepEqual(
    (await list('provider=versions&history=true')).map((one) => [one.price, one.is_withdrawn, !!one.superseded_at]),
    [
      ['1', false, false],
      [null, true, true],
      ['2', false, false],
    ],
  );
  const { body } = await service.request('POST', '/api/prices/apply');
  assert.equal(body.priced, 1, 'the event that was logged meanwhile');
});

test('a withdrawal has no price in CSV and JSON, and exports can be imported again', async () => {
  const csv =
    'provider,event_type,price,valid_from,is_withdrawn\nfile,llm_tokens,1,2026-01-01,\nfile,llm_tokens,,2026-02-01,true\n';
  assert.deepEqual((await put(csv, 'text/csv')).body.entries, ['added', 'added']);
  const exported = await service.request('GET', '/api/prices?provider=file', { headers: { accept: 'text/csv' } });
  const again = await put(exported.body, 'text/csv');
  assert.deepEqual([again.status, again.body.unchanged], [200, 2], JSON.stringify(again.body));
  const entries = (await list('provider=file')).map(
    ({ id: _, recorded_at: __, superseded_at: ___, ...entry }) => entry,
  );
  assert.deepEqual((await put({ entries })).body.entries, ['unchanged', 'unchanged']);
});

test('a forgotten price withdraws nothing, and a withdrawal with an amount is refused', async () => {
  const key = { event_type: 'llm_tokens', provider: 'wrong', valid_from: '2026-01-01' };
  const refused = await put({
    entries: [
      key,
      { ...key, valid_from: '2026-01-02', is_withdrawn: false },
      { ...key, valid_from: '2026-01-03', is_withdrawn: true, price: '0' },
      { ...key, valid_from: '2026-01-04', event_type: 'media_minutes', is_withdrawn: true, billing_increment: '1/1' },
      { ...key, valid_from: '2026-01-05', price: null },
    ],
  });
  assert.deepEqual(problemsOf(refused), [
    'body.entries.0.price missing',
    'body.entries.1.price missing',
    'body.entries.2.price value_error',
    'body.entries.3.billing_increment value_error',
    'body.entries.4.price missing',
  ]);
  const empty = await put(
    'provider,event_type,price,valid_from,is_withdrawn\nwrong,llm_tokens,,2026-01-01,maybe\n',
    'text/csv',
  );
  assert.deepEqual(problemsOf(empty), ['body.line.2.is_withdrawn bool_type', 'body.line.2.price missing']);
  assert.deepEqual(await list('provider=wrong'), []);
});
