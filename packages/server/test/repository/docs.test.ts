import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../../../..');
const pages = globSync(
  ['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'examples/*/*.md', 'packages/*/*.md', 'worker/*.md'],
  {
    cwd: root,
  },
).map((page) => ({
  page,
  text: readFileSync(path.join(root, page), 'utf8'),
}));

test('every link to a file of the repository resolves', () => {
  const links = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => ({ page, to })),
  );
  assert.ok(links.length > 30);
  assert.deepEqual(
    links.filter(({ page, to }) => !existsSync(path.join(root, path.dirname(page), to))),
    [],
  );
});

test('keys in examples begin as those of the service do', () => {
  const keys = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/\bs[bk]{1,2}_…/g)].map(([key]) => `${page} ${key}`),
  );
  assert.ok(keys.length >= 3);
  assert.deepEqual(
    keys.filter((key) => !key.endsWith(' sb_…')),
    [],
  );
});

test('commands whose output goes into a file or another program run silently: npm prints a heading before it', () => {
  const kept = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/^ *npm run [^#\n]*?[|>].*$/gm)].map(([line]) => ({ page, line })),
  );
  assert.ok(kept.length > 0);
  assert.deepEqual(
    kept.filter(({ line }) => !/npm run (-s|--silent) /.test(line)),
    [],
  );
});

test('every path that a page names exists', () => {
  const named = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/`((?:packages|e2e|reliability|bench|demo|deploy|docs|examples|worker)\/[\w./*-]+)`/g)].map(
      ([, to = '']) => ({ page, to }),
    ),
  );
  assert.ok(named.length > 30);
  assert.deepEqual(
    named.filter(({ to }) => globSync(to, { cwd: root }).length === 0),
    [],
  );
});

test('every source file that a page names by its folder exists', () => {
  // The examples and the worker name files of their own.
  const ours = pages.filter(({ page }) => !/^(examples|worker)\//.test(page));
  const named = ours.flatMap(({ page, text }) =>
    [...text.matchAll(/`((?:[\w-]+\/)+[\w-]+\.ts)`/g)]
      .map(([, to = '']) => ({ page, to: to.replace(/^packages\/server\/src\/|^src\//, '') }))
      .filter(({ to }) => !existsSync(path.join(root, to))),
  );
  const source = path.join(root, 'packages/server/src');
  assert.ok(named.length > 30);
  assert.deepEqual(
    named.filter(({ to }) => !['', 'providers'].some((folder) => existsSync(path.join(source, folder, to)))),
    [],
  );
});
