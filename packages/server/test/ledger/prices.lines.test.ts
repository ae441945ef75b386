import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { billedMinutes, destinationOf, lookUpPrices } from '../../src/ledger/prices/prices.ts';

const service = await startService();
const { db } = service.database;

const INCREMENTS = ['60/60', '30/6', '6/6', '1/1'] as const;
const from = { valid_from: '2026-01-01' };
const at = new Date('2026-03-10T12:00:00.000Z');
const record = async (...entries: object[]) => {
  const { status, body } = await service.request('PUT', '/api/prices', { body: { entries } });
  assert.equal(status, 200, JSON.stringify(body));
};

test('a line costs what its longest prefix says, then what its direction does', async () => {
  const price = { ...from, provider: 'carrier', event_type: 'telephony_minutes' };
  await record(
    { ...price, price: '9' },
    { ...price, price: '8', direction: 'INBOUND' },
    { ...price, price: '1', prefix: '44', billing_increment: '60/60' },
    { ...price, price: '2', prefix: '4420', billing_increment: '30/6' },
    { ...price, price: '3', prefix: '4420', direction: 'OUTBOUND' },
    { ...price, price: '4', prefix: '442', direction: 'OUTBOUND' },
    { ...price, price: '0', prefix: '44207', direction: 'WEB' },
    { ...price, price: '7', prefix: '4420794', valid_from: '2026-03-11' },
  );
  const look = (direction: 'INBOUND' | 'OUTBOUND' | 'WEB', phone_number: string | null) => ({
    provider: 'carrier',
    event_type: 'telephony_minutes' as const,
    direction,
    phone_number,
    at,
  });
  const found = await lookUpPrices(db, [
    look('OUTBOUND', '+442079460000'),
    look('INBOUND', '+442079460000'),
    look('OUTBOUND', '+442179460000'),
    look('OUTBOUND', '+447700900000'),
    look('INBOUND', '+15005550100'),
    look('OUTBOUND', '+15005550100'),
    look('INBOUND', null),
  ]);
  assert.deepEqual(
    found.map((match) => match && [match.price, match.prefix, match.billing_increment]),
    [
      ['3', '4420', null],
      ['2', '4420', '30/6'],
      ['4', '442', null],
      ['1', '44', '60/60'],
      ['8', null, null],
      ['9', null, null],
      ['8', null, null],
    ],
  );
  const unknown = { ...look('OUTBOUND', '+447700900000'), provider: 'no carrier' };
  assert.deepEqual(await lookUpPrices(db, [unknown]), [null]);
});

test('of any book the most specific price that is valid is found', async () => {
  const optional = <T extends string>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: null });
  const direction = optional('INBOUND', 'OUTBOUND', 'WEB');
  const day = fc.integer({ min: 1, max: 9 }).map((number) => `2026-02-0${number}`);
  const entry = fc.record({
    model: fc.constant(null),
    prefix: optional('4', '44', '442', '4420', '1', '15'),
    direction,
    valid_from: day,
    price: fc.nat(1000).map(String),
    event_type: fc.constant('telephony_minutes'),
  });
  type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;
  const keyOf = ({ prefix, direction, valid_from }: Entry) => `${prefix} ${direction} ${valid_from}`;
  const books = fc.sample(fc.uniqueArray(entry, { selector: keyOf, minLength: 1, maxLength: 12 }), 12);
  const line = fc.record({
    phone_number: fc.constantFrom('+442079460000', '+447700900123', '+15005550100', '+4915112345678'),
    direction: fc.constantFrom('INBOUND', 'OUTBOUND', 'WEB'),
    at: day.map((text) => new Date(text)),
  });
  for (const [index, book] of books.entries()) {
    const provider = `book ${index}`;
    await record(...book.map((one) => ({ ...one, provider })));
    const lines = fc.sample(line, 40).map((one) => ({ ...one, provider, event_type: 'telephony_minutes' as const }));
    const found = await lookUpPrices(db, lines);
    const expected = lines.map(({ phone_number, direction, at }) => {
      const fits = book.filter(
        (one) =>
          phone_number.startsWith(`+${one.prefix ?? ''}`) &&
          (one.direction === null || one.direction === direction) &&
          new Date(one.valid_from) <= at,
      );
      const rank = (one: Entry) =>
        [(one.prefix ?? '').length, one.direction === null ? 0 : 1, one.valid_from].join(' ');
      return fits.sort((a, b) => (rank(a) < rank(b) ? 1 : -1))[0]?.price;
    });
    assert.deepEqual(
      found.map((match) => match?.price),
      expected,
      JSON.stringify(book),
    );
  }
});

test('the destination in the ledger is the prefix of the price, or digits that identify nobody', () => {
  const match = { price: '1', billing_increment: null, total_cost: null };
  assert.equal(destinationOf('+447700900123', { ...match, prefix: '4477' }), '4477');
  assert.equal(destinationOf('+447700900123', { ...match, prefix: null }), null);
  assert.equal(destinationOf('+447700900123', null), '447700');
  assert.equal(destinationOf('+29012345', null), '2901');
  assert.equal(destinationOf(null, null), null);
});

test('minutes are billed by increments', () => {
  const billed = [0, 1, 29_000, 30_000, 30_001, 36_000, 60_000, 60_001, 3_600_000].map((ms) =>
    INCREMENTS.map((increment) => billedMinutes(ms, increment)),
  );
  assert.deepEqual(billed, [
    ['1', '0.5', '0.1', '0.016667'],
    ['1', '0.5', '0.1', '0.016667'],
    ['1', '0.5', '0.5', '0.483333'],
    ['1', '0.5', '0.5', '0.5'],
    ['1', '0.6', '0.6', '0.516667'],
    ['1', '0.6', '0.6', '0.6'],
    ['1', '1', '1', '1'],
    ['2', '1.1', '1.1', '1.016667'],
    ['60', '60', '60', '60'],
  ]);
  assert.equal(billedMinutes(36_500, null), '0.616667');
});

test('the database bills minutes as the service does, and minutes that were billed stay as they are', async () => {
  const cases = fc.sample(fc.tuple(fc.nat(8_000_000), fc.constantFrom(...INCREMENTS)), 500);
  const minutes = cases.map(([ms]) => ms / 60_000).map((value) => value.toFixed(6));
  const billed = cases.map(([ms, increment]) => billedMinutes(ms, increment));
  const { rows } = await sql<{ ms: number; once: string; twice: string; expected: string }>`
    select ms, trim_scale(billed_minutes(minutes, increment))::text as once,
      trim_scale(billed_minutes(expected, increment))::text as twice, expected::text as expected
    from unnest(${cases.map(([ms]) => ms)}::int[], ${minutes}::numeric[], ${cases.map(([, one]) => one)}::text[], ${billed}::numeric[])
      as billed (ms, minutes, increment, expected) where ms > 0`.execute(db);
  for (const { once, twice, expected } of rows) assert.deepEqual([once, twice], [expected, expected]);
});
