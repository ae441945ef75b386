import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestConversation, TestResult, TestTurn } from '@switchboard/client';
import { answerInWords, brokenIn, costOf, inWords, plain, rateOf, stepsOf, whyOf } from '../src/data/trace-words.ts';

const turn = (fields: Partial<TestTurn>): TestTurn => ({
  at_ms: 0,
  heard: 'Hi',
  interrupted: false,
  words: 'Hello.',
  calls: [],
  first_word_ms: 0,
  ...fields,
});
const conversation = (fields: Partial<TestConversation> = {}): TestConversation => ({
  status: 'failed',
  times: 1,
  checks: [{ expected: 'the agent says "ten"', outcome: 'failed', found: 'not said' }],
  turns: [],
  end_reason: 'script_over',
  error: null,
  world: {},
  cost: '0.1',
  duration_ms: 0,
  ...fields,
});
const result = (fields: Partial<TestResult>) =>
  ({ error: null, problems: [], conversations: [conversation()], is_complete: true, ...fields }) as TestResult;
const call = (name: string) => ({ name, arguments: {}, text: 'ok', is_error: false, ms: 5 });

test('what the service writes as JSON is read without any', () => {
  const cases: [written: string, words: string][] = [
    ['the agent says "opens at nine"', 'the agent says “opens at nine”'],
    [
      'calls book with {"day":"2026-07-31","party_size":2} at least once',
      'calls book with day: 2026-07-31, party size: 2 at least once',
    ],
    [
      'the call has {"end_reason":"agent_hung_up","transfers":0}',
      'the call has end reason: the agent hung up, transfers: 0',
    ],
    ['agent_hung_up, 0 transfers, 2 turns', 'the agent hung up, 0 transfers, 2 turns'],
    ['the world has {"bookings":[{"day":"Monday"}],"open":true}', 'the world has bookings: ((day: Monday)), open: yes'],
    ['said: I said "no" {twice', 'said: I said “no” {twice'],
    ['a quotation mark " alone, and {twice', 'a quotation mark " alone, and {twice'],
    ['a broken {"one": }', 'a broken {“one”: }'],
    ['calls hang_up 0 times', 'calls hang_up 0 times'],
  ];
  for (const [written, words] of cases) assert.equal(plain(written), words);
  assert.equal(inWords([]), 'none');
  assert.equal(answerInWords('{"ok":true,"free":null}'), 'ok: yes, free: nothing');
  assert.equal(answerInWords('The call has ended.'), 'The call has ended.');
});

test('each decision is followed by the calls that it made', () => {
  const decisions = [
    { model: 'openai/gpt', words: '', calls: ['find', 'book'], ms: 300 },
    { model: 'rules', words: 'Done.', calls: [], ms: 4 },
  ];
  const steps = stepsOf(turn({ decisions, calls: [call('find'), call('book'), call('late')] }));
  assert.deepEqual(
    steps.map((step) => ('called' in step ? step.called.name : `${step.decided}: ${step.ms}`)),
    ['openai/gpt decided to call find, then book: 300', 'find', 'book', 'The rules decided what to say: 4', 'late'],
  );
});

test('a turn is blamed for words that must not be said, and for a call that was made otherwise', () => {
  const checks: TestConversation['checks'] = [
    { expected: 'the agent never says "sure"', outcome: 'failed', found: 'said: For sure.' },
    { expected: 'calls book with {"day":"Monday"} at least once', outcome: 'failed', found: '0 of 1 calls: {}' },
    { expected: 'the agent says "Hello"', outcome: 'passed', found: 'said: For sure.' },
    { expected: 'calls bookkeep 1 times', outcome: 'failed', found: 'bookkeep was not called' },
  ];
  assert.deepEqual(brokenIn(turn({ words: 'For sure.' }), checks), ['the agent never says “sure”']);
  assert.deepEqual(brokenIn(turn({ calls: [call('book')] }), checks), ['calls book with day: Monday at least once']);
  assert.deepEqual(brokenIn(turn({ words: '' }), checks), []);
});

test('a result says why it is none, or not a pass; what it cost, and how sure it is', () => {
  assert.equal(whyOf(result({})), 'Expected: the agent says “ten”. Found: not said');
  assert.equal(whyOf(result({ error: 'no model' })), 'no model');
  assert.equal(whyOf(result({ conversations: [conversation({ error: 'broke off' })] })), 'broke off');
  assert.equal(whyOf(result({ conversations: [], problems: ['failed: x (y)'] })), 'failed: x (y)');
  assert.equal(costOf(result({ conversations: [conversation({ times: 3 }), conversation()] })), '0.4');
  assert.equal(costOf(result({ conversations: [conversation(), conversation({ cost: null })] })), null);
  assert.equal(costOf(result({ is_complete: false })), null);
  assert.equal(rateOf(result({ interval: { low: 0.2065, high: 1 } })), '21–100 %');
});
