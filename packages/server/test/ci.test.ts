import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../../..');
const script = await readFile(path.join(root, '.ci/run'), 'utf8');
/** The npm commands in their order, with the settings before them. */
const commands = [...script.matchAll(/^.*\bnpm (?:test|ci|run)\b.*$/gm)]
  .map(([line]) => line.trim())
  .filter((line) => !/^(#|step)/.test(line));

test('CI runs the suite on PostgreSQL before anything else is tested, and ends with the whole suite', () => {
  const runs = script.split('\n').filter((line) => /\brun_tests \S/.test(line));
  assert.match(runs[0] ?? '', /^TEST_DATABASE_URL=.* --test /);
  assert.equal(runs.at(-1), 'run_tests npm test');
  const afterwards = script.slice(script.lastIndexOf('run_tests npm test\n') + 1);
  assert.ok(
    !/^(step|echo)/m.test(afterwards),
    'nothing is printed after the summary of the last run, unless it failed',
  );
});

test('CI runs no script that rewrites files under version control', () => {
  const rewriting = /npm run (-s )?(reliability|bench|generate)\b/;
  assert.deepEqual(
    commands.filter((command) => rewriting.test(command)),
    [],
  );
});
