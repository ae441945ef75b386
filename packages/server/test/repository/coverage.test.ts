import assert from 'node:assert/strict';
import type { Profiler } from 'node:inspector';
import { test } from 'node:test';
import { beyond, count, enteredFunctions } from '../../scripts/support/coverage.ts';

const FOLDER = '/service/src';
const TEXT = 'const a = 1;\nfunction place() {}\nfunction end() { list.map(() => {}); }\n';

const script = (
  url: string,
  ...functions: [name: string, start: number, count: number][]
): Profiler.ScriptCoverage => ({
  scriptId: url,
  url,
  functions: functions.map(([functionName, startOffset, count]) => ({
    functionName,
    ranges: [{ startOffset, endOffset: startOffset + 1, count }],
    isBlockCoverage: false,
  })),
});
const entered = (...scripts: Profiler.ScriptCoverage[]) => enteredFunctions(scripts, FOLDER, () => TEXT);

test('functions that were entered are found, with their lines', () => {
  const calls = script('file:///service/src/calling/calls.ts', ['place', 13, 2], ['end', 33, 0], ['', 60, 1]);
  assert.deepEqual(entered(calls), [
    { file: 'calling/calls.ts', line: 2, name: 'place' },
    { file: 'calling/calls.ts', line: 3, name: '' },
  ]);
});

test('files outside of the folder are left out', () => {
  const others = ['file:///service/src-of-another/a.ts', 'file:///service/node_modules/a.js', 'node:fs', ''];
  assert.deepEqual(entered(...others.map((url) => script(url, ['place', 13, 1]))), []);
});

test('what others have entered is subtracted, and each function counts once', () => {
  const idle = entered(script('file:///service/src/a.ts', ['place', 13, 1]));
  const call = entered(script('file:///service/src/a.ts', ['place', 13, 5], ['end', 33, 1]));
  assert.deepEqual(beyond([...call, ...call], idle), [{ file: 'a.ts', line: 3, name: 'end' }]);
});

test('functions without a name count as their file alone', () => {
  const both = entered(
    script('file:///service/src/a.ts', ['place', 13, 1], ['', 60, 1]),
    script('file:///service/src/b.ts', ['', 60, 1]),
  );
  assert.deepEqual(count(both), { files: 2, functions: 1 });
});
