import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forkInWords, forksAt } from '../src/data/forks.ts';

const book = { name: 'book', arguments: { day: 'Monday' } };
const turns = [
  { heard: null, words: 'Hello.', calls: [] },
  { heard: 'A table, please.', words: 'One moment.', calls: [book] },
];
const replay = (words_fork: object | null, calls_fork: object | null) =>
  ({ turns, words_fork, calls_fork }) as Parameters<typeof forkInWords>[0];

test('a fork is told with its turn, and how the turn was in the call', () => {
  const fork = replay({ recorded: 0, replayed: 0 }, { recorded: 1, replayed: 1 });
  assert.equal(
    forkInWords(fork),
    'The agent says something else for the first time in turn 1, and calls something else for the first time in turn 2.',
  );
  assert.deepEqual(forksAt(fork, 0), [{ what: 'words', recorded: 'Hello.' }]);
  assert.deepEqual(forksAt(fork, 1), [{ what: 'calls', recorded: 'book with day: Monday' }]);
  assert.deepEqual(forksAt(fork, 2), []);
  assert.deepEqual(forksAt(replay({ recorded: null, replayed: 0 }, null), 0), [{ what: 'words', recorded: 'nothing' }]);
});

test('a replay that ends early, or is the same, is told too', () => {
  const ended = replay({ recorded: 1, replayed: null }, null);
  assert.match(forkInWords(ended), /at “A table, please\.”, which it does not hear any more\.$/);
  assert.deepEqual(forksAt(ended, 0), []);
  assert.match(forkInWords(replay({ recorded: 0, replayed: null }, null)), /at the beginning, where it says nothing/);
  assert.equal(forkInWords(replay(null, null)), 'The agent says and calls the same.');
  const unknown = { ...replay(null, null), turns: turns.map((turn) => ({ ...turn, calls: null })) };
  assert.equal(forkInWords(unknown), 'The agent says the same.');
});
