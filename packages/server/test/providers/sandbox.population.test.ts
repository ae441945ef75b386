import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mannerOf } from '../../src/providers/sandbox/population.ts';

test('of a hundred people of the sandbox, each manner has its share', () => {
  const counts: Record<string, number> = {};
  for (let number = 0; number < 100; number++) {
    const manner = mannerOf(`+150055642${String(number).padStart(2, '0')}`);
    counts[`${manner}`] = (counts[`${manner}`] ?? 0) + 1;
  }
  assert.deepEqual(counts, { busy: 10, rings_out: 15, voicemail: 10, hangs_up: 7, objects: 5, talks: 53 });
});

test('other numbers are not in the population', () => {
  for (const number of ['+15005550001', '+1500556123', '+150055612345', '+491500556123'])
    assert.equal(mannerOf(number), null, number);
});
