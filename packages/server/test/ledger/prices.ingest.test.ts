import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { lookUpPrices } from '../../src/ledger/prices/prices.ts';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import { timeIds } from '../../src/lib/ids.ts';
import { watchStatements } from '../support/statements.ts';

const clock = createTestClock('2026-03-10T12:00:00.000Z');
timeIds(() => clock.now().getTime());
after(() => timeIds(Date.now));
const service = await startService({ clock });
const replica = await startService({ clock, database: service.database });
const { db } = service.database;

const from = { valid_from: '2026-01-01' };
const record = async (...entries: object[]) => {
  const { status, body } = await service.request('PUT', '/api/prices', { body: { entries } });
  assert.equal(status, 200, JSON.stringify(body));
};
const event = { session_id: 's', user_id: 'user-1', event_type: 'llm_tokens', quantity: '3' };
const log = async (...events: object[]) => {
  const { status, body } = await service.request('POST', '/api/usage/events/batch', {
    body: { events: events.map((one) => ({ ...event, ...one })) },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.events;
};
const costs = (events: { unit_cost: string; total_cost: string; is_unpriced: boolean }[]) =>
  events.map(({ unit_cost, total_cost, is_unpriced }) => (is_unpriced ? 'unpriced' : `${unit_cost} ${total_cost}`));

test('the price of the model comes before that of the provider, and both before none', async () => {
  const provider = 'models';
  await record(
    { ...from, provider, event_type: 'llm_tokens', price: '2' },
    { ...from, provider, event_type: 'llm_tokens', model: 'large', price: '5' },
  );
  assert.deepEqual(
    costs(
      await log(
        { provider, model: 'large' },
        { provider, model: 'small' },
        { provider },
        { provider, event_type: 'tts_characters' },
        { provider: 'another' },
      ),
    ),
    ['5 15', '2 6', '2 6', 'unpriced', 'unpriced'],
  );
});

test('the price that is valid on the day of the event counts, and dates begin at midnight UTC', async () => {
  const provider = 'dates';
  const price = { provider, event_type: 'llm_tokens' };
  await record(
    { ...price, price: '1', valid_from: '2026-03-01' },
    { ...price, price: '2', valid_from: '2026-03-11' },
    { ...price, price: '3', valid_from: '2026-03-20' },
  );
  const at = async (time: string) => {
    clock.set(time);
    return costs(await log({ provider }))[0];
  };
  assert.equal(await at('2026-02-28T23:59:59.999Z'), 'unpriced');
  assert.equal(await at('2026-03-01T00:00:00.000Z'), '1 3');
  assert.equal(await at('2026-03-10T23:59:59.999Z'), '1 3');
  assert.equal(await at('2026-03-11T00:00:00.000Z'), '2 6');
  assert.equal(await at('2026-04-01T00:00:00.000Z'), '3 9');
  clock.set('2026-03-10T12:00:00.000Z');
});

test('totals have all digits of their product, and amounts that were sent are kept', async () => {
  const provider = 'digits';
  await record({ ...from, provider, event_type: 'llm_tokens', price: '0.000000000000000003' });
  assert.deepEqual(
    costs(
      await log(
        { provider, quantity: '12345678901234567890.123456789012345678' },
        { provider, unit_cost: '7', total_cost: '1' },
        { provider, unit_cost: '7' },
      ),
    ),
    ['0.000000000000000003 37.037036703703703670370370367037037034', '7 1', '7 21'],
  );
});

test('a price that was recorded before the request counts, whichever replica recorded it', async () => {
  const provider = 'replicas';
  for (let round = 1; round <= 20; round++) {
    const entries = [{ ...from, provider, event_type: 'llm_tokens', price: String(round) }];
    await replica.request('PUT', '/api/prices', { body: { entries } });
    assert.deepEqual(costs(await log({ provider })), [`${round} ${round * 3}`]);
  }
});

test('an event is logged in one statement, with its amounts or with a price that is known of the book', async () => {
  const sent = watchStatements(service.database);
  const logging = async (fields: object) => {
    const before = sent.length;
    await log({ provider: 'known', ...fields });
    const ofLedger = sent.slice(before).filter(({ sql }) => /\b(usage_|prices\b)/.test(sql));
    return ofLedger.map(({ sql }) => /-- prepared: (\w+)/.exec(sql)?.[1] ?? sql);
  };
  const [look, insert] = ['find_prices', 'insert_usage_events'];
  assert.deepEqual(await logging({ unit_cost: '1', total_cost: '1' }), [insert]);
  assert.deepEqual(await logging({}), [look, insert]);
  assert.deepEqual(await logging({}), [insert]);
  await record({ ...from, provider: 'unrelated', event_type: 'llm_tokens', price: '1' });
  assert.deepEqual(await logging({}), [insert, look, insert]);
  assert.deepEqual(await logging({}), [insert]);
  assert.deepEqual(await logging({ unit_cost: '1', total_cost: '1' }), [insert]);
});

test('while prices change, each event has a price that was valid when it was logged, and is logged once', async () => {
  const provider = 'changing';
  const price = (value: number) => ({ ...from, provider, event_type: 'llm_tokens', price: String(value) });
  await record(price(0));
  let recorded = 0;
  let isChanging = true;
  const changing = (async () => {
    for (let value = 1; value <= 30; value++) {
      await replica.request('PUT', '/api/prices', { body: { entries: [price(value)] } });
      recorded = value;
    }
    isChanging = false;
  })();
  let logged = 0;
  const logging = Array.from({ length: 4 }, async () => {
    while (isChanging) {
      const atLeast = recorded;
      const [{ unit_cost }] = await log({ provider, user_id: 'changing' });
      assert.ok(Number(unit_cost) >= atLeast, `${unit_cost} after ${atLeast} was recorded`);
      logged += 1;
    }
  });
  await Promise.all([changing, ...logging]);
  const { rows } = await sql<{ count: string }>`
    select count(*)::text as count from usage_events where provider = ${provider}`.execute(db);
  assert.equal(rows[0]?.count, String(logged));
  assert.deepEqual(costs(await log({ provider })), ['30 90']);
});

test('an event repeated under its key gets the first price, although another was recorded since', async () => {
  const provider = 'again';
  const send = async () => {
    const { body } = await service.request('POST', '/api/usage/events/batch', {
      body: { events: [{ ...event, provider }] },
      headers: { 'idempotency-key': 'once' },
    });
    return costs(body.events);
  };
  await record({ ...from, provider, event_type: 'llm_tokens', price: '1' });
  assert.deepEqual(await send(), ['1 3']);
  await record({ ...from, provider, event_type: 'llm_tokens', price: '2' });
  assert.deepEqual(await send(), ['1 3']);
});

test('minutes that are logged without a price cost what their increment makes of them', async () => {
  const provider = 'increments';
  await record({ ...from, provider, event_type: 'media_minutes', price: '0.01', billing_increment: '60/60' });
  const minutes = { provider, event_type: 'media_minutes' };
  const logged = await log({ ...minutes, quantity: '1.016667' }, { ...minutes, quantity: '-1' });
  assert.deepEqual(costs(logged), ['0.01 0.02', '0.01 -0.01']);
  assert.equal(logged[0].quantity, '1.016667');
});

test('the example in docs/costs.md prices calls as the page says', async () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/costs.md'), 'utf8');
  const file = /```csv\n(.*?)```/s.exec(page)?.[1] ?? '';
  const headers = { 'content-type': 'text/csv' };
  assert.equal((await service.request('PUT', '/api/prices', { body: file, headers })).body.added, 6);
  const line = { provider: 'twilio', event_type: 'telephony_minutes', direction: 'OUTBOUND' } as const;
  const found = await lookUpPrices(db, [
    { ...line, phone_number: '+447700900123', at: new Date('2026-08-15T12:00:00Z') },
    { ...line, phone_number: '+442079460000', at: new Date('2026-08-15T12:00:00Z') },
    { ...line, phone_number: '+447700900123', at: new Date('2026-06-30T23:59:59Z') },
  ]);
  const lines = file.trim().split('\n').slice(1);
  assert.deepEqual(
    found.map((match) => lines.findIndex((text) => text.includes(`,${match?.prefix},OUTBOUND,${match?.price},`)) + 1),
    [6, 4, 5],
  );
  const tokens = { provider: 'openai', event_type: 'llm_input_tokens', quantity: '1000000' };
  assert.deepEqual(costs(await log({ ...tokens, model: 'gpt-4.1-mini' }, tokens)), ['0.0000004 0.4', '0.000002 2']);
});

test('reports are the sum of the ledger', async () => {
  assert.deepEqual((await createRollups(db).verify(() => {})).wrong, []);
});
