import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');
const COLUMNS = 120;
const comments = globSync(
  [
    'src/**/*.ts',
    'test/**/*.ts',
    'e2e/**/*.ts',
    'reliability/**/*.ts',
    'bench/**/*.ts',
    'demo/**/*.ts',
    'scripts/**/*.ts',
  ],
  { cwd: root, exclude: ['**/node_modules/**'] },
).flatMap((file) =>
  readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ where: `${file}:${index + 1}`, text }))
    .filter(({ text }) => /^\s*(\/\/|\/\*\*|\*( |\/|$))/.test(text)),
);

function breaking(rule: (text: string) => boolean): string[] {
  return comments.filter(({ text }) => rule(text)).map(({ where, text }) => `${where} ${text.trim()}`);
}

test('comments begin with a noun or a verb', () => {
  assert.ok(comments.length > 500);
  const begins = /^\s*(\/\/|\/\*\*|\*) *(What|Who|Whoever|Whose|Of|Told)\b/;
  // The second line of a sentence may begin with any word.
  const isFirst = (text: string) => !/^\s*\*/.test(text);
  assert.deepEqual(
    breaking((text) => isFirst(text) && begins.test(text)),
    [],
  );
});

test(`comments are at most ${COLUMNS} columns wide`, () => {
  assert.deepEqual(
    breaking((text) => text.length > COLUMNS && !/https?:\/\/\S{60}/.test(text)),
    [],
  );
});

test('comments name endpoints, not numbers of operations', () => {
  assert.deepEqual(
    breaking((text) => /\boperations? \d/i.test(text)),
    [],
  );
});
