import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import type { Principal } from '../../src/lib/principal.ts';
import { createRecent } from '../../src/lib/recent.ts';
import { createRevocations } from '../../src/lib/revocations.ts';

const OWNER: Principal = { name: 'api_key/1', role: 'service', user_id: null, scopes: null, expires_at: null };

test('ten thousand tokens are remembered, and those that were accepted last', async () => {
  const clock = createTestClock();
  const recent = createRecent(clock, async () => OWNER, createRevocations());
  for (let index = 0; index < 9_999; index++) await recent.authenticate(`token ${index}`);
  clock.advance(1_000);
  await recent.authenticate('token 0');
  for (const token of ['one more', 'another']) await recent.authenticate(token);
  const isKnown = (token: string) => recent.lastAccepted(token) !== null;
  assert.deepEqual(['token 0', 'token 1', 'token 2', 'one more', 'another'].map(isKnown), [
    true,
    false,
    true,
    true,
    true,
  ]);
});

test('an answer that was late does not bring back a token that another one has refused meanwhile', async () => {
  const clock = createTestClock();
  const answers: ((answer: Principal | null) => void)[] = [];
  const recent = createRecent(clock, () => new Promise((resolve) => answers.push(resolve)), createRevocations());
  const ask = () => recent.authenticate('token');
  const first = ask();
  answers[0]?.(OWNER);
  assert.equal(await first, OWNER);
  clock.advance(1_000);
  const [slow, fast] = [ask(), ask()];
  answers[2]?.(null);
  assert.equal(await fast, null);
  answers[1]?.(OWNER);
  await slow;
  assert.equal(recent.lastAccepted('token'), null);
});

test('setting the clock back does not extend the time', async () => {
  const clock = createTestClock();
  const recent = createRecent(clock, async () => OWNER, createRevocations());
  await recent.authenticate('token');
  clock.advance(-1);
  assert.equal(recent.lastAccepted('token'), null);
});
