import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../src/lib/errors.ts';
import { createTogether } from '../../src/lib/together.ts';

/** Rounds that end when they are told to. */
function held(options: { under_way?: number; at_once?: number; waiting?: number } = {}) {
  const rounds: { items: string[]; end(error?: Error): Promise<void> }[] = [];
  const ask = createTogether<string, string>({
    doAll: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<(string | Error)[]>();
      const end = (error?: Error) => {
        if (error) reject(error);
        else resolve(items.map((item) => (item === 'refused' ? new AppError('not_found') : item.toUpperCase())));
        return turn();
      };
      rounds.push({ items, end });
      return promise;
    },
    isOfOne: (error) => (error as Error).message === 'of one',
    sizeOf: (item) => item.length,
    most: { at_once: 100, waiting: 1000, under_way: 1, ...options },
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

test('what is asked in one turn is one round, and what comes meanwhile is the next, begun after it was asked', async () => {
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

test('one that cannot be done fails alone', async () => {
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

test('what can do nothing at all fails everybody who waits, at once, and those who come afterwards are tried', async () => {
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

test('rounds have their size, one item may be larger, and beyond what may wait the answer is overloaded', async () => {
  const { ask, rounds, asked } = held({ at_once: 4, waiting: 12 });
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

test('as many rounds are under way as may be', async () => {
  const { ask, rounds, asked } = held({ under_way: 2 });
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
