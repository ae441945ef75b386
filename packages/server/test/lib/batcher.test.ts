import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatcher } from '../../src/lib/batcher.ts';
import { AppError } from '../../src/lib/errors.ts';

/** Rounds that end when they are told to. */
function held(options: { concurrency?: number; batch_size?: number; queue_depth?: number } = {}) {
  const rounds: { items: string[]; end(error?: Error): Promise<void> }[] = [];
  const ask = createBatcher<string, string>({
    runBatch: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<(string | Error)[]>();
      const end = (error?: Error) => {
        if (error) reject(error);
        else resolve(items.map((item) => (item === 'refused' ? new AppError('not_found') : item.toUpperCase())));
        return turn();
      };
      rounds.push({ items, end });
      return promise;
    },
    isItemFault: (error) => (error as Error).message === 'of one',
    sizeOf: (item) => item.length,
    limits: { batch_size: 100, queue_depth: 1000, concurrency: 1, ...options },
  });
  const asked = (item: string) => {
    const answer = ask(item);
    answer.catch(() => {});
    return answer;
  };
  return { ask: asked, rounds, asked: () => rounds.map(({ items }) => items) };
}

const turn = async () => {
  for (let times = 0; times < 3; times++) await new Promise(setImmediate);
};

test('items of one turn are one batch, and items that arrive meanwhile are the next', async () => {
  const { ask, rounds, asked } = held();
  const answers = ['a', 'b'].map(ask);
  await turn();
  answers.push(...['c', 'd', 'refused'].map(ask));
  await turn();
  assert.deepEqual(asked(), [['a', 'b']]);
  await rounds[0]?.end();
  await rounds[1]?.end();
  assert.deepEqual(asked(), [
    ['a', 'b'],
    ['c', 'd', 'refused'],
  ]);
  const results = await Promise.allSettled(answers);
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code)),
    ['A', 'B', 'C', 'D', 'not_found'],
  );
});

test('an item that fails does not fail the others', async () => {
  const { ask, rounds, asked } = held();
  const answers = ['a', 'bad', 'c'].map(ask);
  await turn();
  const later = ask('later');
  await rounds[0]?.end(new Error('of one'));
  await rounds[1]?.end();
  await rounds[2]?.end(new Error('of one'));
  await rounds[3]?.end();
  await rounds[4]?.end();
  assert.deepEqual(asked(), [['a', 'bad', 'c'], ['a'], ['bad'], ['c'], ['later']]);
  assert.deepEqual(
    (await Promise.allSettled([...answers, later])).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  );
});

test('a total failure fails all waiting items at once, and later items are tried', async () => {
  const { ask, rounds, asked } = held();
  const answers = ['a', 'b'].map(ask);
  await turn();
  await rounds[0]?.end(new Error('of one'));
  answers.push(ask('c'));
  await rounds[1]?.end(new Error('away'));
  for (const answer of answers) await assert.rejects(answer, /away/);
  const next = ask('d');
  await turn();
  await rounds[2]?.end();
  assert.equal(await next, 'D');
  assert.deepEqual(asked(), [['a', 'b'], ['a'], ['d']]);
});

test('batches have a maximum size, one item may be larger, and a full queue is overloaded', async () => {
  const { ask, rounds, asked } = held({ batch_size: 4, queue_depth: 12 });
  const answers = ['aa', 'bb', 'cccccccc'].map(ask);
  await assert.rejects(ask('d'), { code: 'overloaded' });
  await turn();
  answers.push(ask('e'));
  for (let round = 0; round < 3; round++) await rounds[round]?.end();
  await Promise.all(answers);
  assert.deepEqual(asked(), [['aa', 'bb'], ['cccccccc'], ['e']]);
  const again = ask('f');
  await turn();
  await rounds[3]?.end();
  assert.equal(await again, 'F');
});

test('batches run concurrently up to the limit', async () => {
  const { ask, rounds, asked } = held({ concurrency: 2 });
  const answers: Promise<string>[] = [];
  for (const item of ['a', 'b', 'c']) {
    answers.push(ask(item));
    await turn();
  }
  assert.deepEqual(asked(), [['a'], ['b']]);
  await rounds[1]?.end();
  assert.deepEqual(asked(), [['a'], ['b'], ['c']]);
  for (const round of rounds) await round.end();
  assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C']);
});
