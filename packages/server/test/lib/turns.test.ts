import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeBuffer } from '../../src/http/body-reader.ts';
import { createLoopTurns } from '../../src/lib/turns.ts';

/** Turns that are used up: whatever comes now waits. */
function busyTurns() {
  const turns = createLoopTurns();
  while (turns.isFree());
  return turns;
}

const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('addresses take turns: one that asks a hundred times keeps another waiting for one of them', async () => {
  const turns = busyTurns();
  const done: string[] = [];
  for (let index = 0; index < 100; index++) turns.enqueue('greedy', () => done.push('greedy'));
  turns.enqueue('modest', () => done.push('modest'));
  await turns.wait('greedy');
  assert.equal(done.indexOf('modest'), 1);
  assert.equal(done.length, 101);
});

test('new connections go before requests of other addresses, and after those of their own', async () => {
  const turns = busyTurns();
  const done: string[] = [];
  for (const what of ['first', 'second']) turns.enqueue('greedy', () => done.push(what));
  const later = new Promise<void>((resolve) => turns.arrive('greedy', resolve)).then(() =>
    done.push('more of the same'),
  );
  turns.arrive('modest', () => done.push('a newcomer'));
  await later;
  assert.deepEqual(done, ['a newcomer', 'first', 'second', 'more of the same']);
});

test('a suspended connection is read before the requests of other addresses, and after those of its own', async () => {
  const turns = busyTurns();
  const done: string[] = [];
  for (const what of ['first', 'second']) turns.enqueue('greedy', () => done.push(what));
  turns.resume('greedy', () => done.push('more of the same'));
  const read = new Promise<void>((resolve) => turns.resume('modest', () => resolve(void done.push('modest'))));
  await Promise.all([read, turns.wait('greedy')]);
  while (done.length < 4) await new Promise(setImmediate);
  assert.deepEqual(done, ['modest', 'first', 'second', 'more of the same']);
});

test('while connections arrive, no other work begins after the reads that earlier work has begun', async () => {
  const turns = busyTurns();
  const done: string[] = [];
  let left = 20;
  const arrive = () => {
    if (left-- <= 0) return;
    turns.arrive('newcomer', () => {});
    done.push('connection');
    setImmediate(arrive);
  };
  for (const address of ['one', 'two'])
    turns.enqueue(address, () => {
      done.push('request');
      // The budget of this turn, and then the reads.
      block(15);
      setImmediate(block, 100);
      arrive();
    });
  await turns.wait('two');
  const between = done.slice(done.indexOf('request') + 1, done.lastIndexOf('request'));
  assert.ok(between.length > 5, done.join());
});

test('in a turn that is used up, the connections after the 128th wait, and are suspended once', () => {
  const turns = busyTurns();
  const floods = Array.from({ length: 200 }, () => turns.isFlood());
  assert.equal(floods.indexOf(true), 127);
  assert.equal(floods.lastIndexOf(true), 127);
});

test('the microtasks of a piece of work belong to it: the next one waits for another turn of the loop', async () => {
  const turns = busyTurns();
  let turn = 0;
  const count = () => {
    turn++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const seen: number[] = [];
  for (const address of ['one', 'two'])
    turns.enqueue(address, () => {
      seen.push(turn);
      queueMicrotask(() => block(50));
    });
  await turns.wait('one');
  await turns.wait('two');
  clearImmediate(counting);
  assert.ok((seen[1] ?? 0) > (seen[0] ?? 0), seen.join());
});

test('freeing a buffer releases its memory at once, unless its memory is shared', () => {
  const own = Buffer.from(new ArrayBuffer(1024));
  const part = Buffer.from(new ArrayBuffer(1024)).subarray(10);
  freeBuffer(own);
  freeBuffer(part);
  assert.deepEqual([own.length, part.length], [0, 1014]);
});
