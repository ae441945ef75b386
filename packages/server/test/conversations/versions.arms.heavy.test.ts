import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseArm } from '../../src/conversations/agents/arms.ts';

const AGENT = '01980000-0000-7000-8000-000000000000';
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `+1500555${index}`);
const arms = (...weights: number[]) => weights.map((weight, index) => ({ version: index + 1, weight }));

test('a million phone numbers are assigned within 0.1 % of the weights', () => {
  const counts = new Map<number, number>();
  for (const number of numbers(1_000_000)) {
    const version = chooseArm(arms(90, 10), AGENT, number);
    counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  assert.equal(counts.size, 2);
  for (const { version, weight } of arms(90, 10))
    assert.ok(
      Math.abs((counts.get(version) ?? 0) / 1_000_000 - weight / 100) < 0.001,
      `${version}: ${counts.get(version)}`,
    );
});

test('a version whose weight grows keeps its numbers, in whatever order the arms are', () => {
  const [few, more] = [arms(90, 10), arms(80, 20).toReversed()];
  const moves = { '1 1': 0, '1 2': 0, '2 2': 0, '2 1': 0 };
  for (const number of numbers(20_000))
    moves[`${chooseArm(few, AGENT, number)} ${chooseArm(more, AGENT, number)}` as keyof typeof moves] += 1;
  assert.equal(moves['2 1'], 0);
  assert.ok(moves['1 2'] > 1500 && moves['2 2'] > 1500, JSON.stringify(moves));
});

test('a third version takes numbers of the others, and moves none between them', () => {
  for (const number of numbers(20_000)) {
    const after = chooseArm(arms(45, 45, 10), AGENT, number);
    if (after !== 3) assert.equal(after, chooseArm(arms(50, 50), AGENT, number));
  }
});

test('the same number always gets the same version of an agent, and not that of every agent', () => {
  const half = arms(50, 50);
  const here = numbers(1000).map((number) => chooseArm(half, AGENT, number));
  assert.deepEqual(
    numbers(1000).map((number) => chooseArm(half, AGENT, number)),
    here,
  );
  const there = numbers(1000).map((number) => chooseArm(half, AGENT.replace('8000', '9000'), number));
  const same = there.filter((version, index) => version === here[index]).length;
  assert.ok(same > 400 && same < 600, `${same}`);
});

test('without a number the version is chosen by chance, by the weights', () => {
  const chosen = Array.from({ length: 10_000 }, () => chooseArm(arms(50, 50), AGENT, null));
  const first = chosen.filter((version) => version === 1).length;
  // Ten standard deviations.
  assert.ok(first > 4500 && first < 5500, `${first}`);
});
