import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween, type DiffLine, diffLines, namedChanges, withContext } from '../src/data/differences.ts';

const signs = { same: ' ', removed: '-', added: '+' };
const shown = (lines: (DiffLine | null)[]) =>
  lines.map((line) => (line ? signs[line.kind] + line.text : '…')).join('|');

test('configurations differ in values, at their places, in lists too', () => {
  const before = { greeting: 'Hi', llm: { model: 'a', seed: 1 }, tools: { functions: [{ name: 'f' }, { name: 'g' }] } };
  const after = { crm: {}, greeting: 'Hi', llm: { model: 'b', seed: 1 }, tools: { functions: [{ name: 'f' }] } };
  assert.deepEqual(changesBetween(before, after), [
    { path: ['crm'], before: undefined, after: {} },
    { path: ['llm', 'model'], before: 'a', after: 'b' },
    { path: ['tools', 'functions', 1], before: { name: 'g' }, after: undefined },
  ]);
  assert.deepEqual(changesBetween(before, structuredClone(before)), []);
  assert.deepEqual(changesBetween({ a: [] }, { a: {} }), [{ path: ['a'], before: [], after: {} }]);
});

test('changes have the names of the form’s fields; new sections are told by field, and unknown fields have none', () => {
  const parameters = (description: string, required: string[]) => ({
    type: 'object',
    properties: { day: { type: 'string', description } },
    required,
  });
  const before = {
    instructions: 'One',
    stt: { provider: 'openai' },
    llm: [{ model: 'a' }, { model: 'b' }],
    tools: { functions: [{ name: 'f', url: 'u', parameters: parameters('A day', ['day']) }] },
    voicemail: { action: 'hang_up' },
  };
  const after = {
    instructions: 'Two',
    crm: { pipeline: 7 },
    stt: { provider: 'groq', options: { a: 1 } },
    llm: [{ model: 'c' }, { model: 'd' }],
    tools: { hang_up: true, functions: [{ name: 'f', url: 'v', parameters: parameters('The day', []) }] },
    silence: { timeout_s: 7, message: 'Still there?' },
    transfer: {},
  };
  const named = namedChanges(before, after).map(({ path, name }) => name ?? path.join('.'));
  assert.deepEqual(named, [
    'Prompt',
    'crm',
    'Speech recognition: provider',
    'stt.options',
    'Language model: model',
    'llm.1.model',
    'Tools: hang up',
    'Function 1: URL',
    'Function 1: meaning of day',
    'Function 1: required arguments',
    'Silence: silence before it asks',
    'Silence: it asks',
    'Transfers',
    'Voicemail: when a machine answers',
  ]);
});

test('texts differ in as few lines as possible, shown with two lines around them', () => {
  assert.equal(shown(diffLines('a\nb\nc', 'a\nc\nd')), ' a|-b| c|+d');
  assert.equal(shown(diffLines('', 'a')), '-|+a');
  assert.equal(shown(diffLines('a', 'a')), ' a');
  const long = Array.from({ length: 9 }, (_, line) => `${line}`);
  const changed = long.with(4, 'four');
  assert.equal(shown(withContext(diffLines(long.join('\n'), changed.join('\n')))), '…| 2| 3|-4|+four| 5| 6|…');
});
