import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockText, estimatedEnd } from '../src/data/campaign-words.ts';

test('a campaign with too many abandoned calls shows how many, and how many its policy allows', () => {
  const abandonment = { answered: 40, abandoned: 5, rate: 0.125, max_rate: 0.03, days: 30, is_exceeded: true };
  assert.equal(
    blockText('policy', abandonment),
    '5 of 40 calls that people answered in 30 days were taken by no agent in time: 12.5 %, and its policy allows 3 %.',
  );
  assert.match(blockText('policy', { ...abandonment, is_exceeded: false }), /does not exist/);
  assert.match(blockText('budget', abandonment), /budget/);
});

test('a campaign is expected to take as long for those who are left as it took for the others', () => {
  const none = { total: 0, waiting: 0, deferred: 0, dialling: 0, connected: 0, reached: 0, exhausted: 0 };
  const ended = { suppressed: 0, refused: 0, expired: 0, canceled: 0 };
  const recipients = { ...none, ...ended, total: 40, waiting: 20, deferred: 5, dialling: 3, connected: 2, reached: 10 };
  const campaign = { state: 'running' as const, started_at: '2026-01-15T09:00:00.000Z', recipients };
  const now = new Date('2026-01-15T09:10:00.000Z');
  assert.equal(estimatedEnd(campaign, now)?.toISOString(), '2026-01-15T09:40:00.000Z');
  assert.equal(estimatedEnd({ ...campaign, state: 'paused' }, now), null);
  assert.equal(estimatedEnd({ ...campaign, started_at: null }, now), null);
  assert.equal(estimatedEnd({ ...campaign, recipients: { ...none, ...ended, total: 4, waiting: 4 } }, now), null);
});
