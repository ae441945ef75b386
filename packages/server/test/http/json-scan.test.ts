import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scanJson } from '../../src/http/json-scan.ts';

const LIMITS = { depth: 1000, fields: 1000, values: 1000 };
const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const tokens = fc.constantFrom(
  ...'{}[],:',
  '"a"',
  '"\\u00e9"',
  '"\\x"',
  '1',
  '-0',
  '01',
  '1e5',
  '.5',
  'true',
  'null',
  'nul',
  ' ',
  '\n',
);

test('the scanner and JSON.parse accept the same texts', () => {
  const texts = fc.oneof(
    fc.json(),
    fc.array(tokens, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => assert.equal(scanJson(text, LIMITS, []).mistake === null, isJson(text), text)),
    { numRuns: 5000 },
  );
});

test('an error is reported at the wrong token, never after it', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, place) => {
      const at = place % text.length;
      const { mistake } = scanJson(`${text.slice(0, at)}\u0001`, LIMITS, []);
      assert.ok(mistake !== null && mistake <= at);
    }),
  );
});

test('depth and number of fields are limited exactly', () => {
  const limits = { depth: 5, fields: 3, values: 9 };
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  assert.equal(scanJson(nested(5), limits, []).exceeded, null);
  assert.equal(scanJson(nested(6), limits, []).exceeded, 'depth');
  assert.equal(scanJson('['.repeat(1_000_000), limits, []).exceeded, 'depth');
  assert.equal(scanJson('[{"a":1},{"a":1,"b":2}]', limits, []).exceeded, null);
  assert.equal(scanJson('[{"a":1,"b":2},{"a":1,"b":2}]', limits, []).exceeded, 'fields');
  assert.equal(scanJson('[1,2,3,4,5,6,7,8]', limits, []).exceeded, null);
  assert.equal(scanJson('[1,2,3,4,5,6,7,8,9]', limits, []).exceeded, 'values');
});

test('the number literals of the requested fields are returned, at any depth', () => {
  const text = '{"a":1.50,"b":2,"c":"3","d":{"a":-4e1},"e":[5,{"\\u0061":6}],"f":[{"a":[7],"b":8}],"a":9}';
  const { numbers } = scanJson(text, LIMITS, ['a', 'c', 'd', 'e']);
  assert.deepEqual(
    numbers.map(([from, to]) => text.slice(from, to)),
    ['1.50', '-4e1', '6', '9'],
  );
});
