import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChatEvent, SwitchboardError } from '@switchboard/client';
import { answerAfter, argumentsText, NO_ANSWER, needsNewChat, nextStep, putBack } from '../src/data/chat-lines.ts';

const call = (call_id: string): ChatEvent => ({ event: 'tool_call', data: { call_id, name: 'book', arguments: {} } });
const after = (...events: ChatEvent[]) => events.reduce(answerAfter, NO_ANSWER);

test('an answer grows by words and calls of tools, whose results find their calls', () => {
  const answer = after(
    { event: 'words', data: { text: 'One' } },
    call('a'),
    call('b'),
    { event: 'tool_result', data: { call_id: 'b', result: 'no', is_error: true } },
    { event: 'usage', data: { model: 'm', input_tokens: 1, output_tokens: 1 } },
    { event: 'words', data: { text: ' two' } },
  );
  assert.equal(answer.words, 'One two');
  assert.deepEqual(
    answer.tools.map(({ call_id, result, is_error }) => [call_id, result, is_error]),
    [
      ['a', null, false],
      ['b', 'no', true],
    ],
  );
});

test('an answer keeps which models took over', () => {
  const data = { kind: 'llm', from: 'openai/a', to: 'groq/b', reason: 'timeout' } as const;
  assert.deepEqual(after({ event: 'failed_over', data }, { event: 'words', data: { text: 'Hi' } }).failovers, [data]);
});

test('what came before another worker began anew is not part of the answer', () => {
  const answer = after({ event: 'words', data: { text: 'Old' } }, call('a'), { event: 'restarted', data: {} });
  assert.deepEqual(answer, NO_ANSWER);
});

test('a text put back into the box loses nothing that was typed meanwhile', () => {
  assert.equal(putBack('sent', ' '), 'sent');
  assert.equal(putBack('sent', 'sent'), 'sent');
  assert.equal(putBack('sent', 'typed'), 'sent\n\ntyped');
});

test('a failure names the next step, and whether another chat is needed', () => {
  const full = new SwitchboardError('chat_full', 'full');
  const unanswered = new SwitchboardError('turn_unanswered', 'nobody');
  assert.deepEqual([full, unanswered, new Error('x')].map(needsNewChat), [true, false, false]);
  assert.match(nextStep(unanswered) ?? '', /worker/);
  assert.equal(nextStep(new SwitchboardError('internal_error', 'x')), 'Try again.');
  assert.equal(nextStep(new Error('says it itself')), null);
});

test('the arguments of a tool are shown one a line', () => {
  const tool = { call_id: 'a', name: 'book', result: null, is_error: false };
  assert.equal(argumentsText({ ...tool, arguments: { guests: 2, day: 'Friday' } }), 'guests: 2\nday: "Friday"');
  assert.equal(argumentsText({ ...tool, arguments: {} }), 'None');
});
