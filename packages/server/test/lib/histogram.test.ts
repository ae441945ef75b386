import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACCURACY, bucketOf, middleOf } from '../../src/lib/histogram.ts';

test('the value that stands for a bucket is within the accuracy of each value in it', () => {
  for (let value = 1; value <= 600_000; value += Math.max(1, Math.floor(value / 200))) {
    const error = Math.abs(middleOf(bucketOf(value)) - value) / value;
    assert.ok(error <= ACCURACY + 1e-9, `${value}: ${error}`);
  }
  assert.ok(ACCURACY < 0.025);
});

test('larger values have no smaller bucket, and ten minutes have a few hundred', () => {
  let last = bucketOf(0);
  assert.equal(middleOf(last), 0);
  for (let value = 0; value <= 600_000; value += 7) {
    const bucket = bucketOf(value);
    assert.ok(bucket >= last, `${value}`);
    last = bucket;
  }
  assert.ok(last < 300, `${last}`);
});
