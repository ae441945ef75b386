import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Agent } from '@switchboard/client';
import { readAgentFile, toAgentFile } from '../src/data/agent-file.ts';
import { countWords, foldOf } from '../src/data/prompt-text.ts';
import { moveCursor } from '../src/data/text-cursor.ts';

test('a heading folds the lines up to the next one of its depth, without the empty ones before it', () => {
  const text = '# One\na\n## Two\nb\n\n# Three\n\n#no heading\n';
  const folded = [0, 1, 2, 5, 7].map((line) => foldOf(text, line));
  assert.deepEqual(folded, [{ first: 0, last: 3 }, null, { first: 2, last: 3 }, { first: 5, last: 7 }, null]);
});

test('a variable, a contraction and a word in any script are a word each', () => {
  assert.equal(countWords('Don’t ask {{first name}} — 3.5 минуты.\n# '), 5);
  assert.equal(countWords(' \n'), 0);
});

test('a cursor stays at its text when the text before or behind it changes', () => {
  const text = '{"a": 1, "b": 2}';
  const at = text.indexOf('"b"');
  assert.equal(moveCursor(text, text, at), at);
  assert.equal(moveCursor(text, '{"a": 1000, "b": 2}', at), at + 3);
  assert.equal(moveCursor(text, '{"a": 1, "b": 2000}', at), at);
  assert.equal(moveCursor(text, '{"a": 1}', at), 7);
  assert.equal(moveCursor('aa', 'aaa', 2), 2);
});

test('an agent in a file is the same when it is read, without what belongs to its installation', () => {
  const config = { greeting: 'Hi', unknown: [1] };
  const agent = {
    id: 'a',
    name: 'Desk',
    description: null,
    type: 'TTS',
    config,
    phone_number: '+1',
  } as unknown as Agent;
  const read = { name: 'Desk', type: 'TTS', config };
  assert.deepEqual(readAgentFile(toAgentFile(agent, null)), { ...read, external_key: null });
  assert.deepEqual(readAgentFile(toAgentFile(agent, 'desk')), { ...read, external_key: 'desk' });
  for (const [text, problem] of [
    ['{', /not JSON/],
    ['[]', /"format"/],
    ['{"format":"switchboard.agent/1","config":{}}', /no name/],
    ['{"format":"switchboard.agent/1","name":"A"}', /no configuration/],
    ['{"format":"switchboard.agent/1","name":"A","config":{},"external_key":1}', /external key/],
  ] as const)
    assert.throws(() => readAgentFile(text), problem);
});
