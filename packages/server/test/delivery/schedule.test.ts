import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseAfter } from '../../src/delivery/callbacks/schedule.ts';

const now = new Date('2026-03-01T12:00:00.000Z');

/** The pause after an attempt that is not the last. */
function pause(attempts: number, retryAfter: string | null): number {
  const seconds = pauseAfter(attempts, retryAfter, now);
  assert.ok(seconds !== null);
  return seconds;
}

test('a callback that is never accepted is retried for more than a day, but not forever', () => {
  let [attempts, seconds] = [1, 0];
  // The shortest pauses: what is random about them makes them longer.
  for (; pauseAfter(attempts, null, now) !== null; attempts++) seconds += Math.min(3 * 3600, 5 * 2 ** (attempts - 1));
  assert.ok(seconds >= 86_400 && seconds < 3 * 86_400, `${seconds} s`);
});

test('pauses double up to three and a half hours, with jitter between receivers that failed together', () => {
  for (const [attempts, least] of [
    [1, 5],
    [2, 10],
    [5, 80],
    [12, 10_240],
    [19, 10_800],
  ] as const) {
    const pauses = Array.from({ length: 200 }, () => pause(attempts, null));
    assert.ok(Math.min(...pauses) >= least && Math.max(...pauses) <= Math.ceil(least * 1.5), String(attempts));
    assert.ok(new Set(pauses).size > 1);
  }
});

test('Retry-After is honoured up to a day, and ignored when earlier or invalid', () => {
  assert.equal(pauseAfter(1, '7200', now), 7200);
  assert.equal(pauseAfter(1, 'Sun, 01 Mar 2026 13:00:00 GMT', now), 3600);
  assert.equal(pauseAfter(1, '999999999', now), 86_400);
  for (const retryAfter of ['0', '-5', 'Sun, 01 Mar 2020 13:00:00 GMT', 'soon', '', '1e9', '9'.repeat(400)])
    assert.ok(pause(1, retryAfter) <= 8, retryAfter);
});
