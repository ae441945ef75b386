import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween, type DiffLine, diffLines, withContext } from '../src/data/differences.ts';

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

test('texts differ in as few lines as possible, shown with two lines around them', () => {
  assert.equal(shown(diffLines('a\nb\nc', 'a\nc\nd')), ' a|-b| c|+d');
  assert.equal(shown(diffLines('', 'a')), '-|+a');
  assert.equal(shown(diffLines('a', 'a')), ' a');
  const long = Array.from({ length: 9 }, (_, line) => `${line}`);
  const changed = long.with(4, 'four');
  assert.equal(shown(withContext(diffLines(long.join('\n'), changed.join('\n')))), '…| 2| 3|-4|+four| 5| 6|…');
});
