import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOfDay } from '../src/data/day.ts';

test('a day begins at midnight of the viewer, and ends where the next one begins', () => {
  assert.equal(startOfDay('2026-01-15'), new Date(2026, 0, 15).toISOString());
  assert.equal(startOfDay('2026-01-31', 1), new Date(2026, 1, 1).toISOString());
});

test('what a date field can hold and no time is made of is no day, rather than an exception', () => {
  for (const day of ['12026-01-15', '', 'soon', '2026-13-01']) assert.equal(startOfDay(day), null);
  assert.equal(startOfDay('9999-12-31', 1), null);
});
