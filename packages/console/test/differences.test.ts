import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween, type DiffLine, diffLines, namedChanges, withContext } from '../src/data/differences.ts';
import { valueText } from '../src/data/value-labels.ts';

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
    tools: {
      hang_up: true,
      functions: [{ name: 'f', url: 'v', headers: { 'x-a': '1' }, parameters: parameters('The day', []) }],
    },
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
    'Language model 2: model',
    'Tools: hang up',
    'Function 1: URL',
    'Function 1: header x-a',
    'Function 1: meaning of day',
    'Function 1: required arguments',
    'Silence: silence before it asks',
    'Silence: it asks',
    'Transfers',
    'Voicemail: when a machine answers',
  ]);
});

test('a model beside which others stand now is told by what differs', () => {
  const named = (before: object, after: object) => namedChanges({ ...before }, { ...after }).map(({ name }) => name);
  const [one, two] = [
    { provider: 'openai', model: 'a' },
    { provider: 'groq', model: 'b', options: { x: 1 } },
  ];
  const added = ['Language model 2: provider', 'Language model 2: model', null];
  assert.deepEqual(named({ llm: one }, { llm: [one, two] }), added);
  assert.deepEqual(named({ llm: [one, two] }, { llm: one }), added);
  assert.deepEqual(named({ llm: one }, { llm: [{ ...one, model: 'c' }] }), ['Language model: model']);
  const failOver = { on: ['error'], first_token_ms: 900 };
  const values = ['Fallback: what counts as a failure', 'Fallback: longest wait for the first word'];
  assert.deepEqual(named({}, { fail_over: failOver }), values);
});

test('what counts as a failure is one value, in the words of the form', () => {
  const [before, after] = [
    { fail_over: { on: ['error', 'timeout'] } },
    { fail_over: { on: ['error', 'timeout', 'rate_limit'] } },
  ];
  assert.deepEqual(namedChanges(before, structuredClone(before)), []);
  const [change, ...others] = namedChanges(before, after);
  assert.deepEqual(others, []);
  assert.deepEqual(change?.path, ['fail_over', 'on']);
  const text = (value: unknown) => valueText(['config', ...(change?.path ?? [])], value);
  assert.equal(text(change?.before), 'Errors, No answer in time');
  assert.equal(text(change?.after), 'Errors, No answer in time, Too many requests');
  assert.equal(text([]), '(none)');
  assert.equal(text('wrong'), 'wrong');
  assert.equal(valueText(['config', 'x'], ['a']), '[\n  "a"\n]');
});

test('values are told in the words of the form', () => {
  assert.equal(valueText(['config', 'voicemail', 'action'], 'hang_up'), 'Hang up');
  assert.equal(
    valueText(['config', 'tools', 'transfer', 'destinations', 3, 'type'], 'COLD'),
    'Cold: hand over at once',
  );
  assert.equal(valueText(['config', 'llm', 1, 'provider'], 'groq'), 'Groq');
  assert.equal(valueText(['agent', 'type'], 'PIPELINE'), 'Conversation');
  assert.equal(valueText(['config', 'silence', 'timeout_s'], 7), '7 s');
  assert.equal(valueText(['config', 'turn_detection', 'min_endpointing_delay_ms'], 350), '350 ms');
  assert.equal(valueText(['config', 'tools', 'dtmf'], true), 'Yes');
  // Others as they are: a greeting that says so, too.
  for (const text of ['hang_up', 'constructor']) assert.equal(valueText(['config', 'greeting'], text), text);
  assert.equal(valueText(['config', 'voicemail', 'action'], 'constructor'), 'constructor');
  assert.deepEqual([valueText(['config', 'x'], ''), valueText(['config', 'x'], null)], ['(empty)', '(none)']);
});

test('texts differ in as few lines as possible, shown with two lines around them', () => {
  assert.equal(shown(diffLines('a\nb\nc', 'a\nc\nd')), ' a|-b| c|+d');
  assert.equal(shown(diffLines('', 'a')), '-|+a');
  assert.equal(shown(diffLines('a', 'a')), ' a');
  const long = Array.from({ length: 9 }, (_, line) => `${line}`);
  const changed = long.with(4, 'four');
  assert.equal(shown(withContext(diffLines(long.join('\n'), changed.join('\n')))), '…| 2| 3|-4|+four| 5| 6|…');
});
