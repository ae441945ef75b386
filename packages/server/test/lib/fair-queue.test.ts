import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairQueue } from '../../src/lib/fair-queue.ts';

/** Work that ends when it is told to, and what has begun so far. */
function createWork(atOnce: number, maxWaiting = 100) {
  const inTurn = createFairQueue(atOnce, maxWaiting);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (owner: string, failure?: Error) =>
    inTurn(owner, async () => {
      begun.push(owner);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (failure) throw failure;
      return owner;
    });
  const endNext = async () => {
    ends.shift()?.();
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  return { run, begun, endNext };
}

test('so much runs at once, and owners whose work waits take turns', async () => {
  const { run, begun, endNext } = createWork(2);
  const all = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map((owner) => run(owner));
  assert.deepEqual(begun, ['a', 'a']);
  await endNext();
  assert.deepEqual(begun, ['a', 'a', 'a']);
  for (let times = 0; times < 6; times++) await endNext();
  assert.deepEqual(begun, ['a', 'a', 'a', 'b', 'c', 'a', 'b']);
  assert.deepEqual(await Promise.all(all), ['a', 'a', 'a', 'a', 'b', 'c', 'b']);
});

test('work that fails makes room for the next, and an empty queue begins at once', async () => {
  const { run, begun, endNext } = createWork(1);
  const failing = assert.rejects(run('a', new Error('broken')), /broken/);
  const next = run('b');
  await endNext();
  await failing;
  assert.deepEqual(begun, ['a', 'b']);
  await endNext();
  assert.equal(await next, 'b');
  const last = run('c');
  assert.deepEqual(begun, ['a', 'b', 'c']);
  await endNext();
  assert.equal(await last, 'c');
});

test('of each owner so much may wait; beyond that it is refused, until some of it has begun', async () => {
  const { run, begun, endNext } = createWork(1, 2);
  const all = ['a', 'a', 'a', 'b'].map((owner) => run(owner));
  await assert.rejects(run('a'), { code: 'too_many_requests' });
  await endNext();
  all.push(run('a'));
  for (let times = 0; times < 5; times++) await endNext();
  assert.equal((await Promise.all(all)).length, 5);
  assert.equal(begun.length, 5);
});
