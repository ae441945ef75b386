import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { decimal as amount } from '@switchboard/testkit/decimals.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { decimal } from '../src/index.ts';

test('sums, differences, products, comparisons and roundings are those of PostgreSQL’s numeric', async () => {
  const { db, close } = await openTestDatabase();
  const pairs = fc.sample(fc.tuple(amount, amount, fc.nat(20)), 1_000);
  const text = JSON.stringify(pairs.map(([a, b, places]) => ({ a, b, places })));
  const { rows } = await sql<Record<string, string>>`
    select trim_scale(a + b)::text as sum, trim_scale(a - b)::text as difference, trim_scale(a * b)::text as product,
      sign(a - b)::text as comparison, trim_scale(a)::text as plain, a - round(a, places) as rest,
      round(a, places)::text as rounded
    from rows from (jsonb_to_recordset(${text}::jsonb) as (a numeric, b numeric, places int))
      with ordinality as pair (a, b, places, n)
    order by n`.execute(db);
  await close();
  assert.equal(rows.length, pairs.length);
  for (const [index, [a, b, places]] of pairs.entries()) {
    const row = rows[index] ?? {};
    const label = `${a} ${b}`;
    assert.equal(decimal.add(a, b), row.sum, label);
    assert.equal(decimal.sum([a, b]), row.sum, label);
    assert.equal(decimal.subtract(a, b), row.difference, label);
    assert.equal(decimal.multiply(a, b), row.product, label);
    assert.equal(String(decimal.compare(a, b)), row.comparison, label);
    assert.equal(decimal.normalize(a), row.plain, label);
    // PostgreSQL rounds halves away from zero, banks to the even neighbor: they differ on halves alone.
    const isHalf = new RegExp(`^-?0\\.0{${places}}50*$`).test(String(row.rest));
    if (!isHalf)
      assert.equal(decimal.normalize(decimal.format(a, places)), decimal.normalize(row.rounded ?? ''), label);
  }
});

test('the same amounts are accepted and refused as by the service', () => {
  for (const [text, plain] of [
    ['+1.50', '1.5'],
    ['-0.0', '0'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
  ] as const)
    assert.equal(decimal.normalize(text), plain);
  for (const text of ['', '.', '-', '1e3', '0x1', ' 1', '1,5', 'NaN', 'Infinity', '1'.repeat(1_001)])
    assert.throws(() => decimal.normalize(text), /not a plain decimal/, text);
  assert.throws(() => decimal.add(0.1 as unknown as string, '1'), TypeError);
});

test('an amount is shown with so many digits, halves to the even neighbor', () => {
  const shown = ['0.125', '0.135', '-0.125', '-0.0049', '2', '0.995'].map((text) => decimal.format(text, 2));
  assert.deepEqual(shown, ['0.12', '0.14', '-0.12', '0.00', '2.00', '1.00']);
  assert.equal(decimal.format('2.5', 0), '2');
  assert.throws(() => decimal.format('1', -1), RangeError);
});

test('sorting by comparison is sorting by value', () => {
  assert.deepEqual(['10', '-1', '9.99', '0.10'].sort(decimal.compare), ['-1', '0.10', '9.99', '10']);
  assert.equal(decimal.sum([]), '0');
});
