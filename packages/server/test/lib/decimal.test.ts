import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimal, scaled } from '@switchboard/testkit/decimals.ts';
import fc from 'fast-check';
import {
  canonicalDecimal,
  decimalProblem,
  multiplyDecimals,
  NUMERIC_STRING_PATTERN,
  plainDecimal,
} from '../../src/lib/decimal.ts';

const SPECIFIED = new RegExp(NUMERIC_STRING_PATTERN);
const ALPHABET = [...'+-.0159e x'];

/** Every text of up to `length` characters of the alphabet. */
function* texts(length: number): Generator<string> {
  yield '';
  if (length === 0) return;
  for (const rest of texts(length - 1)) {
    if (rest.length === length - 1) for (const character of ALPHABET) yield rest + character;
    if (rest !== '') yield rest;
  }
}

test('the published pattern is the specification’s', () => {
  assert.equal(NUMERIC_STRING_PATTERN, String.raw`^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$`);
});

test('every text of up to five characters is accepted exactly when the specified pattern matches it', () => {
  let count = 0;
  for (const text of new Set(texts(5))) {
    count++;
    assert.equal(decimalProblem(text) === null, SPECIFIED.test(text), JSON.stringify(text));
  }
  assert.equal(count, 111_111);
});

test('longer texts are accepted exactly when the specified pattern matches them', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 6, maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'+-.019'), minLength: 4, maxLength: 12 }),
    fc.stringMatching(/^[+-]?0{0,4}\d{0,6}\.?\d{0,6}$/),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  fc.assert(
    fc.property(text, (sent) => {
      assert.equal(decimalProblem(sent) === null, SPECIFIED.test(sent), JSON.stringify(sent));
    }),
    { numRuns: 20_000 },
  );
});

test('38 digits with 18 decimal places are accepted, one more of either is refused', () => {
  assert.equal(decimalProblem('9'.repeat(38)), null);
  assert.equal(decimalProblem(`${'9'.repeat(20)}.${'9'.repeat(18)}`), null);
  assert.equal(decimalProblem(`.${'9'.repeat(18)}`), null);
  assert.equal(decimalProblem('9'.repeat(39))?.type, 'decimal_max_digits');
  assert.equal(decimalProblem(`${'9'.repeat(21)}.${'9'.repeat(18)}`)?.type, 'decimal_max_digits');
  assert.equal(decimalProblem(`0.${'9'.repeat(19)}`)?.type, 'decimal_max_places');
});

test('leading zeros and a sign do not count as digits', () => {
  assert.equal(decimalProblem(`-${'0'.repeat(20)}${'9'.repeat(38)}`), null);
  assert.equal(decimalProblem(`+0000.${'0'.repeat(18)}`), null);
});

test('a text of more than 64 characters is refused whatever it is', () => {
  assert.equal(decimalProblem('0'.repeat(64)), null);
  assert.equal(decimalProblem('0'.repeat(65))?.type, 'decimal_parsing');
  assert.equal(decimalProblem(`${'0'.repeat(1_000_000)}x`)?.type, 'decimal_parsing');
});

test('the plain form of a JSON number has exactly its value', () => {
  const literal = fc
    .tuple(
      fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
      fc.stringMatching(/^\d{0,10}$/),
      fc.integer({ min: -18, max: 18 }),
    )
    .map(([whole, fraction, exponent]) => ({ mantissa: `${whole}${fraction && `.${fraction}`}`, exponent }));
  const notation = fc.constantFrom('e', 'E');
  fc.assert(
    fc.property(literal, notation, fc.boolean(), ({ mantissa, exponent }, e, plus) => {
      const plain = plainDecimal(`${mantissa}${e}${exponent >= 0 && plus ? '+' : ''}${exponent}`);
      assert.match(plain, /^-?\d+(\.\d+)?$/);
      const expected =
        exponent < 0 ? scaled(mantissa) / 10n ** BigInt(-exponent) : scaled(mantissa) * 10n ** BigInt(exponent);
      assert.equal(scaled(plain), expected);
    }),
    { numRuns: 5_000 },
  );
});

test('what JSON.stringify writes for a number has exactly that number’s value', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 });
  fc.assert(
    fc.property(number, (value) => {
      const literal = JSON.stringify(value);
      const plain = plainDecimal(literal);
      if (!/e/.test(plain)) assert.equal(Number(plain), value === 0 ? 0 : value);
    }),
    { numRuns: 5_000 },
  );
});

test('a number without an exponent is its own plain form', () => {
  fc.assert(fc.property(decimal, (text) => assert.equal(plainDecimal(text), text)));
});

test('a number that cannot fit is never expanded, so that a short request cannot cause a long text', () => {
  for (const literal of ['1e1000000000', '1e-1000000000', '1e99999999999999999999']) {
    assert.equal(plainDecimal(literal), literal);
    assert.equal(decimalProblem(plainDecimal(literal))?.type, 'decimal_parsing');
  }
});

const accepted = [...new Set(texts(4))].filter((text) => decimalProblem(text) === null);
const PLAIN = /^(0|-?(0\.\d*[1-9]|[1-9]\d*(\.\d*[1-9])?))$/;

test('the canonical form of a decimal has its value, and no sign, zero or point that it does not need', () => {
  for (const text of accepted) {
    const canonical = canonicalDecimal(text);
    assert.equal(scaled(canonical), scaled(text), text);
    assert.match(canonical, PLAIN, text);
  }
  fc.assert(fc.property(decimal, (text) => scaled(canonicalDecimal(text)) === scaled(text)));
  assert.throws(() => canonicalDecimal('1e3'), TypeError);
});

test('products are exact and canonical', () => {
  const exact = (one: string, other: string) => {
    const product = multiplyDecimals(one, other);
    assert.match(product, PLAIN, `${one} * ${other}`);
    assert.equal(scaled(product) * 10n ** 40n, scaled(one) * scaled(other), `${one} * ${other}`);
  };
  for (const one of accepted.slice(0, 300)) for (const other of accepted.slice(-300)) exact(one, other);
  fc.assert(fc.property(decimal, decimal, exact));
});
