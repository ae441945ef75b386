import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slowed } from '../../src/calling/campaigns/pacing.ts';
import { createTrunks, FAILURES, OPEN_MS, REFUSALS } from '../../src/calling/outbound/trunks.ts';
import { readTrunks, trunksProblem } from '../../src/providers/trunks.ts';

/** The trunks of a process, by a clock and random numbers that the test sets. */
function trunksOf(text: string) {
  const at = { now: 0, random: 0 };
  const trunks = createTrunks({ groups: readTrunks(text), now: () => at.now, random: () => at.random });
  const fail = (id: string, times: number) => {
    for (let time = 0; time < times; time++) {
      const others = readTrunks(text).flatMap((group) =>
        group.map((trunk) => trunk.id).filter((other) => other !== id),
      );
      assert.equal(trunks.choose(others)?.id, id);
      trunks.choose(others)?.end('failed');
    }
  };
  return { at, ...trunks, id: (tried: string[] = []) => trunks.choose(tried)?.id, fail };
}

test('a setting has groups in order, and alternatives with weights', () => {
  assert.deepEqual(readTrunks('ST_a'), [[{ id: 'ST_a', weight: 1 }]]);
  assert.deepEqual(readTrunks('ST_a=3|ST_b,ST_c'), [
    [
      { id: 'ST_a', weight: 3 },
      { id: 'ST_b', weight: 1 },
    ],
    [{ id: 'ST_c', weight: 1 }],
  ]);
});

test('a setting that cannot be meant is refused with what is expected', () => {
  assert.deepEqual(readTrunks('ST_a=3@bell,ST_b@telnyx'), [
    [{ id: 'ST_a', weight: 3, carrier: 'bell' }],
    [{ id: 'ST_b', weight: 1, carrier: 'telnyx' }],
  ]);
  for (const right of ['ST_a', 'ST_a=1', 'ST_a@telnyx', 'ST_a=100|ST_b', 'ST_a,ST_b,ST_c'])
    assert.equal(trunksProblem(right), null);
  for (const wrong of ['ST_a,', '|ST_a', 'ST_a, ST_b', 'ST_a=', 'ST_a=0', 'ST_a=101', 'ST_a=1.5', 'ST_a=-1', 'ST_a==1'])
    assert.match(trunksProblem(wrong) ?? '', /^must be the id of a trunk; .*, like ST_a=3\|ST_b,ST_c@telnyx$/, wrong);
  assert.match(trunksProblem('ST_a=3|ST_b,ST_a') ?? '', /ST_a is there twice/);
});

test('groups come in order, and alternatives as often as their weights say', () => {
  const { at, id } = trunksOf('a=3|b=1,c');
  const drawn = Array.from({ length: 8 }, (_, index) => {
    at.random = index / 8;
    return id();
  });
  assert.deepEqual(drawn, ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'b']);
  assert.deepEqual([id(['b']), id(['a', 'b']), id(['a', 'b', 'c'])], ['a', 'c', undefined]);
});

test('a trunk that keeps failing is passed over, tried by one call after a while, and used again once it works', () => {
  const { at, choose, id, fail } = trunksOf('a,b');
  fail('a', FAILURES - 1);
  choose([])?.end('took');
  fail('a', FAILURES - 1);
  assert.equal(id(), 'a', 'only failures in a row count');
  assert.equal(choose([])?.end('unknown'), null);
  assert.equal(choose([])?.end('failed'), 'opened');
  assert.equal(id(), 'b');
  at.now = OPEN_MS - 1;
  assert.equal(id(), 'b');
  at.now = OPEN_MS;
  const trial = choose([]);
  assert.deepEqual([trial?.id, id()], ['a', 'b'], 'one call tries it, and all others go on elsewhere');
  assert.equal(trial?.end('failed'), null);
  assert.equal(id(), 'b', 'passed over again');
  at.now = 2 * OPEN_MS;
  choose([])?.end('unknown');
  const second = choose([]);
  assert.equal(second?.id, 'a', 'a call that was canceled has shown nothing');
  assert.equal(second?.end('took'), 'closed');
  assert.deepEqual([id(), id()], ['a', 'a']);
});

test('a trunk that is passed over is the last resort of a call', () => {
  const { id, fail } = trunksOf('a,b,c');
  fail('a', FAILURES);
  assert.deepEqual([id(), id(['b']), id(['b', 'c'])], ['b', 'c', 'a']);
  fail('b', FAILURES);
  fail('c', FAILURES);
  assert.deepEqual([id(), id(['a'])], ['a', 'b'], 'if all are, they come in order');
});

test('the pace of campaigns halves after a few calls that no trunk had room for, and doubles with time', () => {
  const { at, pace, slowDown } = trunksOf('a');
  assert.equal(pace(), 1);
  for (let call = 1; call < REFUSALS; call++) slowDown();
  assert.equal(pace(), 1, 'one or two may be a hiccup');
  at.now = 30_000;
  for (let call = 1; call < REFUSALS; call++) slowDown();
  assert.equal(pace(), 1, 'and so may two that are far from the others');
  slowDown();
  assert.equal(pace(), 0.5);
  at.now += 999;
  for (let call = 0; call < 50; call++) slowDown();
  assert.ok(pace() > 0.5, 'calls that were placed at the old pace count no more');
  at.now += 1;
  for (let call = 1; call < REFUSALS; call++) slowDown();
  assert.ok(pace() > 0.5, 'nor for the next change');
  slowDown();
  assert.ok(pace() < 0.3);
  at.now += 60_000;
  assert.equal(pace(), 1);
  for (let time = 0; time < 40; time++) {
    at.now += 1_000;
    slowDown();
    slowDown();
  }
  assert.ok(pace() >= 1 / 16 && pace() < 0.08, String(pace()));
  at.now += 150_000;
  assert.equal(pace(), 1);
  const pacing = { max_concurrent: 10, per_minute: 60, reserve_for_others: 0 };
  assert.deepEqual(slowed(pacing, 0.5), { ...pacing, per_minute: 30 });
});
