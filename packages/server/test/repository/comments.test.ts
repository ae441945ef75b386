import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../../../..');
const COLUMNS = 120;
const FOLDERS = ['packages', 'e2e', 'reliability', 'bench', 'demo', 'worker'];
const comments = globSync(
  FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx}`),
  {
    cwd: root,
    exclude: ['**/node_modules/**', '**/generated/**', '**/dist/**'],
  },
).flatMap((file) =>
  readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .map((text, index, lines) => ({ where: `${file}:${index + 1}`, text, before: lines[index - 1]?.trim() }))
    .filter(({ text }) => /^\s*(\/\/|\/\*\*|\*( |\/|$))/.test(text)),
);

function breaking(rule: (text: string, before?: string) => boolean): string[] {
  return comments.filter(({ text, before }) => rule(text, before)).map(({ where, text }) => `${where} ${text.trim()}`);
}

test('comments begin with a noun or a verb', () => {
  assert.ok(comments.length > 500);
  const begins = /^\s*(\/\/|\/\*\*|\*) *(What|Who|Whoever|Whose|Of|Told)\b/;
  // The second line of a sentence may begin with any word.
  const isFirst = (text: string, before = '') => !/^\s*\*/.test(text) || before === '/**';
  assert.deepEqual(
    breaking((text, before) => isFirst(text, before) && begins.test(text)),
    [],
  );
});

test(`comments are at most ${COLUMNS} columns wide`, () => {
  assert.deepEqual(
    breaking((text) => text.length > COLUMNS && !/https?:\/\/\S{60}/.test(text)),
    [],
  );
});

test('comments name endpoints, not operation numbers', () => {
  assert.deepEqual(
    breaking((text) => /\boperations? \d/i.test(text)),
    [],
  );
});
