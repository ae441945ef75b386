import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockText } from '../src/data/campaign-words.ts';

test('a campaign with too many abandoned calls shows how many, and how many its policy allows', () => {
  const abandonment = { answered: 40, abandoned: 5, rate: 0.125, max_rate: 0.03, days: 30, is_exceeded: true };
  assert.equal(
    blockText('policy', abandonment),
    '5 of 40 calls that people answered in 30 days were taken by no agent in time: 12.5 %, and its policy allows 3 %.',
  );
  assert.match(blockText('policy', { ...abandonment, is_exceeded: false }), /does not exist/);
  assert.match(blockText('budget', abandonment), /budget/);
});
