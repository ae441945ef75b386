import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readPages } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { pseudonymizeEvents } from '../../src/ledger/usage/pseudonym-store.ts';
import { lockRollups } from '../../src/ledger/usage/rollup-store.ts';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import { insertUsageEvents, type NewUsageEvent } from '../../src/ledger/usage/store.ts';
import { newId, timeIds } from '../../src/lib/ids.ts';
import { problemsOf } from '../support/answers.ts';
import { readCsv } from '../support/csv.ts';
import { logUsage } from '../support/usage.ts';

const clock = createTestClock('2026-02-10T12:00:00.000Z');
// As in a service that is started by `main.ts`: ids are made at the time of their events.
timeIds(() => clock.now().getTime());
after(() => timeIds(Date.now));
const service = await startService({ clock });
const { db } = service.database;
const user = 'user-1';
const event = { session_id: 's1', user_id: user, agent_id: 'a', provider: 'openai' };
const tokens = { ...event, event_type: 'llm_output_tokens', model: 'gpt-4o-mini', quantity: 7 };

const sendBatch = (...events: object[]) => service.request('POST', '/api/usage/events/batch', { body: { events } });
const list = (query = '') => readPages(service.url, `/api/usage/events${query}`, user);
const summary = async () => (await service.request('GET', '/api/costs/summary', { user })).body;
const verify = async () => (await createRollups(db).verify(() => {})).wrong;
const entry = (fields: Partial<NewUsageEvent> & Pick<NewUsageEvent, 'event_type' | 'quantity'>): NewUsageEvent => ({
  id: newId(),
  session_id: 's1',
  user_id: user,
  agent_id: 'a',
  provider: 'openai',
  created_at: clock.now(),
  ...fields,
});

test('a batch takes every event type, and models; the single event keeps its three types and its fields', async () => {
  const types = ['telephony_minutes', 'media_minutes', 'llm_input_tokens', 'llm_output_tokens', 'llm_cached_tokens'];
  const amounts = { quantity: 1, unit_cost: 0, total_cost: 0 };
  const all = ['stt_minutes', 'llm_tokens', 'tts_characters', ...types];
  const { status, body } = await sendBatch(
    ...all.map((event_type) => ({ ...event, event_type, model: `model of ${event_type}`, ...amounts })),
  );
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(
    body.events.map(({ event_type, model }: Record<string, string>) => [event_type, model]),
    all.map((event_type) => [event_type, `model of ${event_type}`]),
  );
  for (const event_type of types)
    assert.deepEqual(problemsOf(await logUsage(service, { event_type })), ['body.event_type enum']);
  const { body: single } = await logUsage(service, { user_id: user });
  assert.deepEqual(Object.keys(single), [
    'id',
    'session_id',
    'user_id',
    'agent_id',
    'provider',
    'event_type',
    'quantity',
    'unit_cost',
    'total_cost',
    'created_at',
  ]);
});

test('a total that is left out is the product of its factors with all digits', async () => {
  const { body } = await sendBatch({
    ...tokens,
    session_id: 'product',
    quantity: '12345678901234567890.123456789012345678',
    unit_cost: '0.000000000000000003',
  });
  const [{ total_cost, unit_cost, is_unpriced }] = body.events;
  // 12345678901234567890.123456789012345678 * 3, moved by 18 places.
  assert.equal(total_cost, '37.037036703703703670370370367037037034');
  assert.deepEqual([unit_cost, is_unpriced], ['0.000000000000000003', false]);
  const [listed] = await list('?session_id=product');
  assert.equal(listed?.total_cost, total_cost);
});

test('an event without a price costs nothing, is shown as unpriced and counted; a total needs its price', async () => {
  const before = await summary();
  const { body } = await sendBatch({ ...tokens, session_id: 'free' }, { ...tokens, session_id: 'free', model: null });
  for (const { unit_cost, total_cost, is_unpriced } of body.events)
    assert.deepEqual([unit_cost, total_cost, is_unpriced], ['0', '0', true]);
  assert.deepEqual(await summary(), before);
  const rows = await db
    .selectFrom('usage_rollups')
    .select(({ fn }) => ['model', fn.sum<string>('unpriced').as('unpriced')])
    .where('unpriced', '!=', 0)
    .groupBy('model')
    .orderBy('model')
    .execute();
  assert.deepEqual(
    rows.map(({ model, unpriced }) => [model, Number(unpriced)]),
    [
      ['', 1],
      ['gpt-4o-mini', 1],
    ],
  );
  assert.deepEqual(problemsOf(await sendBatch({ ...tokens, unit_cost: 1 }, { ...tokens, total_cost: 1 })), [
    'body.events.1.unit_cost missing',
  ]);
  assert.deepEqual(problemsOf(await sendBatch({ ...tokens, unit_cots: 1 })), [
    'body.events.0.unit_cots extra_forbidden',
  ]);
});

test('an adjusting entry counts for the day of the event that it prices, and the event stays as it was', async () => {
  const [unpriced] = (await sendBatch({ ...tokens, session_id: 'later', agent_id: 'late' })).body.events;
  clock.set('2026-04-01T08:00:00.000Z');
  const price = entry({
    event_type: 'llm_output_tokens',
    model: 'gpt-4o-mini',
    session_id: 'later',
    agent_id: 'late',
    quantity: '0',
    unit_cost: '0.5',
    total_cost: '3.5',
    adjusts: unpriced.id,
    used_on: '2026-02-10',
    is_pricing: true,
  });
  await insertUsageEvents(db, [price]);
  const events = await list('?session_id=later');
  assert.deepEqual(
    events.map(({ is_unpriced, total_cost, adjusts, used_on }) => [is_unpriced, total_cost, adjusts, used_on]),
    [
      [true, '0', null, null],
      [false, '3.5', unpriced.id, '2026-02-10'],
    ],
  );
  const id = ({ id }: Record<string, unknown>) => id;
  const february = '?session_id=later&start_date=2026-02-01&end_date=2026-02-28';
  for (const query of [february, '?agent_id=late&end_date=2026-02-28', '?agent_id=late&start_date=2026-02-10'])
    for (const who of [user, undefined])
      assert.deepEqual((await readPages(service.url, `/api/usage/events${query}`, who)).map(id), events.map(id), query);
  for (const query of ['start_date=2026-02-11', 'start_date=2026-04-01&end_date=2026-04-30', 'end_date=2026-02-09'])
    assert.deepEqual(await list(`?agent_id=late&${query}`), [], query);
  const report = async (query: string) => (await service.request('GET', `/api/costs/${query}`, { user })).body;
  assert.equal((await report('summary?start_date=2026-04-01')).total_cost, '0');
  assert.equal((await summary()).this_month_cost, '0');
  const late = { agent_id: 'late', agent_name: 'Unknown', session_count: 1 };
  const day = (await report('by-agent?start_date=2026-02-10&end_date=2026-02-10')) as { agent_id: string }[];
  assert.deepEqual(
    day.filter(({ agent_id }) => agent_id === 'late'),
    [{ ...late, total_cost: '3.5', event_count: 2 }],
  );
  assert.deepEqual(await report('by-agent?start_date=2026-04-01'), []);
  const kept = await db
    .selectFrom('usage_rollups')
    .select(['total_cost', 'unpriced'])
    .where('agent_id', '=', 'late')
    .orderBy('recorded_on')
    .execute();
  assert.deepEqual(kept, [
    { total_cost: '0', unpriced: 1 },
    { total_cost: '3.5', unpriced: -1 },
  ]);
});

test('wrong dimensions of rollups are reported and rebuilt, and an erasure keeps them', async () => {
  assert.deepEqual(await verify(), []);
  const rows = () =>
    db
      .selectFrom('usage_rollups')
      .select(['agent_id', 'event_type', 'model', 'direction', 'quantity', 'total_cost', 'events', 'unpriced'])
      .orderBy('day')
      .orderBy('recorded_on')
      .orderBy('event_type')
      .orderBy('model')
      .orderBy('agent_id')
      .execute();
  const before = await rows();
  await db
    .updateTable('usage_rollups')
    .set((eb) => ({ unpriced: eb('unpriced', '+', 1) }))
    .where('recorded_on', '=', '2026-04-01')
    .execute();
  await db.updateTable('usage_rollups').set({ model: 'another' }).where('model', '=', 'model of llm_tokens').execute();
  assert.deepEqual(await verify(), ['user-1 2026-02-10', 'user-1 2026-04-01']);
  await createRollups(db).rebuild(() => {});
  assert.deepEqual(await verify(), []);
  assert.deepEqual(await rows(), before);
  assert.equal((await service.request('DELETE', `/api/users/${user}`)).status, 200);
  assert.deepEqual(await verify(), []);
  assert.deepEqual(await rows(), before);
});

test('events of the same rollup that are erased one by one keep its sums', async () => {
  await sendBatch(...Array.from({ length: 3 }, () => ({ ...tokens, user_id: 'eve', session_id: 'one by one' })));
  const moveOne = () =>
    db.transaction().execute(async (trx) => {
      await lockRollups(trx);
      return pseudonymizeEvents(trx, 'eve', 'nobody', 1);
    });
  const unpricedOf = async (user_id: string) =>
    (await db.selectFrom('usage_rollups').select('unpriced').where('user_id', '=', user_id).execute()).map(
      ({ unpriced }) => unpriced,
    );
  for (const [left, moved] of [
    [[2], [1]],
    [[1], [2]],
    [[], [3]],
  ]) {
    assert.equal(await moveOne(), 1);
    assert.deepEqual([await unpricedOf('eve'), await unpricedOf('nobody')], [left, moved]);
    assert.deepEqual(await verify(), []);
  }
  assert.equal(await moveOne(), 0);
});

test('events are filtered by model, and CSV has the new columns last', async () => {
  const other = { user_id: 'user-2', session_id: 'm' };
  await sendBatch({ ...tokens, ...other, unit_cost: 1 }, { ...tokens, ...other, model: 'another', unit_cost: 1 });
  const path = '/api/usage/events?model=another';
  const { body } = await service.request('GET', path, { user: 'user-2', headers: { accept: 'text/csv' } });
  const [row, ...more] = readCsv(body);
  assert.deepEqual(more, []);
  assert.deepEqual(Object.entries(row ?? {}).slice(9), [
    ['total_cost', '7'],
    ['model', 'another'],
    ['direction', ''],
    ['is_unpriced', 'false'],
    ['adjusts', ''],
    ['used_on', ''],
  ]);
  const { items } = (await service.request('GET', path, { user: 'user-2' })).body;
  assert.deepEqual(
    items.map(({ model }: { model: string }) => model),
    ['another'],
  );
});
