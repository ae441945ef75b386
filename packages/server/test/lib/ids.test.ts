import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsFrom, newId } from '../../src/lib/ids.ts';

test('every id comes after those of any earlier time, however long ago', () => {
  const id = newId();
  for (const year of [1800, 1926, 1934, 1935, 1969, 1970, 2020])
    assert.ok(idsFrom(new Date(Date.UTC(year, 0, 1))) < id, String(year));
});
