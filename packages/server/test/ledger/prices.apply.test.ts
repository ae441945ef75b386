import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readPages } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import { timeIds } from '../../src/lib/ids.ts';
import { problemsOf } from '../support/answers.ts';

const clock = createTestClock('2026-03-10T12:00:00.000Z');
timeIds(() => clock.now().getTime());
after(() => timeIds(Date.now));
const database = await openTestDatabase();
const service = await startService({ clock, database });
const replica = await startService({ clock, database });
after(() => database.close());

const from = { valid_from: '2026-01-01' };
const record = (...entries: object[]) => service.request('PUT', '/api/prices', { body: { entries } });
const event = { session_id: 's', agent_id: 'a', event_type: 'llm_tokens', model: 'gpt', quantity: '3' };
const log = async (user_id: string, provider: string, count: number, fields: object = {}) => {
  const events = Array.from({ length: count }, () => ({ ...event, user_id, provider, ...fields }));
  const { body, status } = await service.request('POST', '/api/usage/events/batch', { body: { events } });
  assert.equal(status, 201, JSON.stringify(body));
  return body.events;
};
const apply = async (query = '', on = service) => {
  const { status, body } = await on.request('POST', `/api/prices/apply${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const total = async (user: string) => (await service.request('GET', '/api/costs/summary', { user })).body.total_cost;
const listed = (user: string) => readPages(service.url, '/api/usage/events', user);
const wrong = async () => (await createRollups(database.db).verify(() => {})).wrong;
const open = async (user: string) => {
  const { rows } = await sql<{ count: string }>`
    select coalesce(sum(unpriced), 0)::text as count from usage_rollups where user_id = ${user}`.execute(database.db);
  return Number(rows[0]?.count);
};

test('events without a price are priced later, each by an entry that counts for its day', async () => {
  const [first] = await log('later', 'later', 1, { quantity: '12345678901234567890.123456789012345678' });
  clock.set('2026-03-12T12:00:00.000Z');
  assert.deepEqual((await apply()).missing, [
    { provider: 'later', event_type: 'llm_tokens', model: 'gpt', direction: null, events: 1 },
  ]);
  await record({ ...from, provider: 'later', event_type: 'llm_tokens', price: '0.000000000000000003' });
  const { priced, total_cost, unpriced, missing, detached, next_cursor } = await apply();
  const cost = '37.037036703703703670370370367037037034';
  assert.deepEqual([priced, total_cost, unpriced, missing, detached, next_cursor], [1, cost, 0, [], 0, null]);
  const [before, entry] = await listed('later');
  assert.deepEqual(before, first);
  assert.deepEqual(entry, {
    ...first,
    id: entry?.id,
    quantity: '0',
    unit_cost: '0.000000000000000003',
    total_cost: cost,
    is_unpriced: false,
    adjusts: first.id,
    used_on: '2026-03-10',
    created_at: '2026-03-12T12:00:00.000Z',
  });
  assert.equal(await total('later'), cost);
  assert.equal(await open('later'), 0);
  const { body } = await service.request('GET', '/api/costs/timeline', { user: 'later' });
  assert.deepEqual(
    body.map(({ date, total_cost }: { date: string; total_cost: string }) => [date, total_cost]),
    [['2026-03-10', cost]],
  );
});

test('applied again it changes nothing, also when many do it at the same time on two replicas', async () => {
  await log('many', 'many', 1000);
  await log('many', 'many', 700);
  await record({ ...from, provider: 'many', event_type: 'llm_tokens', price: '0.1' });
  const answers = await Promise.all([service, replica, service, replica].map((on) => apply('', on)));
  assert.equal(
    answers.reduce((sum, { priced }) => sum + priced, 0),
    1700,
  );
  assert.equal((await apply()).priced, 0);
  assert.equal(await total('many'), '510');
  assert.equal(await open('many'), 0);
  assert.deepEqual(await wrong(), []);
});

test('the price is that of the day of the event, and the increment is that of the price', async () => {
  clock.set('2026-03-20T23:59:59.999Z');
  await log('dated', 'dated', 1);
  clock.set('2026-03-21T00:00:00.000Z');
  await log('dated', 'dated', 1);
  await log('dated', 'carrier', 1, { event_type: 'telephony_minutes', model: '442079', quantity: '0.616667' });
  clock.set('2026-03-25T00:00:00.000Z');
  const price = { provider: 'dated', event_type: 'llm_tokens' };
  const line = { ...from, provider: 'carrier', event_type: 'telephony_minutes' };
  await record(
    { ...price, price: '1', valid_from: '2026-03-01' },
    { ...price, price: '10', valid_from: '2026-03-21' },
    { ...line, price: '5' },
    { ...line, price: '0.01', prefix: '44', billing_increment: '60/60' },
    { ...line, price: '0.02', prefix: '4420', billing_increment: '30/6' },
  );
  assert.equal((await apply()).priced, 3);
  const costs = (await listed('dated')).filter(({ adjusts }) => adjusts !== null).map(({ total_cost }) => total_cost);
  assert.deepEqual(costs, ['3', '30', '0.014']);
});

test('a range of days leaves the others alone', async () => {
  for (const day of ['01', '02', '03', '04']) {
    clock.set(`2026-04-${day}T12:00:00.000Z`);
    await log('range', 'range', 1);
  }
  await record({ ...from, provider: 'range', event_type: 'llm_tokens', price: '1' });
  assert.equal((await apply('?start_date=2026-04-02&end_date=2026-04-03')).priced, 2);
  assert.equal((await apply('?end_date=2026-04-01')).priced, 1);
  assert.equal((await apply('?start_date=2026-04-05')).priced, 0);
  assert.equal((await apply('?start_date=2026-04-04')).priced, 1);
  const reversed = await service.request('POST', '/api/prices/apply?start_date=2026-04-02&end_date=2026-04-01');
  assert.deepEqual(problemsOf(reversed), ['query.end_date date_before_start']);
});

test('one request looks at 10,000 events, and says where to go on', async () => {
  for (let batch = 0; batch < 10; batch++) await log('long', 'nobody knows', 1000);
  await log('long', 'long', 5);
  await record({ ...from, provider: 'long', event_type: 'llm_tokens', price: '1' });
  const first = await apply();
  assert.deepEqual([first.priced, first.unpriced], [0, 10_000]);
  assert.ok(first.next_cursor);
  const second = await apply(`?cursor=${first.next_cursor}`);
  assert.deepEqual([second.priced, second.unpriced, second.next_cursor], [5, 0, null]);
  await record({ ...from, provider: 'nobody knows', event_type: 'llm_tokens', price: '0' });
  assert.equal((await apply()).priced, 10_000);
});

test('an answer lists the hundred missing prices of most events', async () => {
  const events = Array.from({ length: 101 }, (_, index) => ({ ...event, user_id: 'kinds', provider: `kind ${index}` }));
  const sent = [...events, ...events.slice(1)];
  await service.request('POST', '/api/usage/events/batch', { body: { events: sent } });
  const { missing, unpriced } = await apply();
  assert.deepEqual([missing.length, unpriced], [100, 201]);
  assert.ok(missing.every((kind: { provider: string; events: number }) => kind.events === 2));
});

test('events of an erased user are priced under the pseudonym, also while the erasure is in progress', async () => {
  await log('erased', 'erased', 1000);
  await record({ ...from, provider: 'erased', event_type: 'llm_tokens', price: '1' });
  const [{ body }] = await Promise.all([service.request('DELETE', '/api/users/erased'), apply('', replica)]);
  await apply();
  assert.equal(await total(body.pseudonym), '3000');
  assert.deepEqual(await listed('erased'), []);
  assert.equal(await open('erased'), 0);
  assert.deepEqual(await wrong(), []);
});

test('events of detached months are left out, and counted', async () => {
  clock.set('2026-05-01T12:00:00.000Z');
  await log('detached', 'detached', 4);
  clock.set(new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 2)).toISOString());
  await log('kept', 'detached', 2);
  await record({ ...from, provider: 'detached', event_type: 'llm_tokens', price: '1' });
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'usage_events'::regclass and pg_get_expr(relpartbound, pg_class.oid) like '%(MINVALUE)%'`.execute(
    database.db,
  );
  await sql`alter table usage_events detach partition ${sql.table(rows[0]?.name ?? '')}`.execute(database.db);
  const { priced, detached } = await apply('?start_date=2026-05-01');
  assert.deepEqual([priced, detached], [2, 4]);
  await service.close();
  await replica.close();
});
