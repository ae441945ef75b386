import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Function as AnyFunction, type ArrowFunctionExpression, parseSync, Visitor } from 'oxc-parser';

const root = path.resolve(import.meta.dirname, '../../../..');
const FOLDERS = ['packages', 'e2e', 'reliability', 'bench', 'demo', 'examples', 'worker'];
/** Maximum lines. A longer function has two jobs. */
const MAX_FUNCTION = 50;
/** A factory contains functions: these are counted with it, and by themselves. */
const MAX_FACTORY = 120;
const MAX_INSIDE = 25;
/** Functions that may be longer, and why. */
const LONGER: Record<string, string> = {
  'packages/server/test/contract/media.ts mediaContract': 'a list of tests',
  'packages/server/src/compose.ts createOperations': 'a list of what exists, each in a line or two',
  'packages/server/src/config.ts loadConfig': 'a list of settings',
  'packages/server/src/lib/metrics.ts createMetrics': 'a list of metrics',
  'packages/server/src/delivery/callbacks/queue-store.ts takeDue': 'one SQL statement',
  'packages/server/src/ledger/usage/store.ts insertUsageEvents': 'one SQL statement',
};

interface Measured {
  /** Its file and its name. */
  name: string;
  lines: number;
  isInside: boolean;
  /** Whether it contains functions with names. */
  isFactory: boolean;
}

const files = globSync(
  FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx}`),
  { cwd: root, exclude: ['**/node_modules/**', '**/generated/**', '**/dist/**', '**/*.test.ts'] },
);
const functions = files.flatMap(functionsOf);

function functionsOf(file: string): Measured[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const found: Measured[] = [];
  const outer: Measured[] = [];
  function enter({ id, start, end }: AnyFunction | ArrowFunctionExpression): void {
    const [lines, line] = [text.slice(start, end), text.slice(0, start)].map((part) => part.split('\n').length);
    const last = outer.at(-1);
    if (last && id) last.isFactory = true;
    const name = `${file} ${id?.name ?? `line ${line}`}`;
    const measured = { name, lines: lines ?? 0, isInside: last !== undefined, isFactory: false };
    found.push(measured);
    outer.push(measured);
  }
  const leave = () => void outer.pop();
  new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    'FunctionDeclaration:exit': leave,
    'FunctionExpression:exit': leave,
    'ArrowFunctionExpression:exit': leave,
  }).visit(parseSync(file, text).program);
  return found;
}

function longerThan(max: number, which: (one: Measured) => boolean): string[] {
  const tooLong = functions.filter((one) => which(one) && one.lines > max && !LONGER[one.name]);
  // Routes are a list.
  return tooLong.filter(({ name }) => !/Routes$/.test(name)).map(({ name, lines }) => `${name}: ${lines} lines`);
}

test(`no function has more than ${MAX_FUNCTION} lines`, () => {
  assert.ok(functions.length > 2000);
  assert.deepEqual(
    longerThan(MAX_FUNCTION, ({ isFactory }) => !isFactory),
    [],
  );
});

test(`no factory has more than ${MAX_FACTORY} lines`, () => {
  assert.ok(functions.filter(({ isFactory }) => isFactory).length > 50);
  assert.deepEqual(
    longerThan(MAX_FACTORY, ({ isFactory }) => isFactory),
    [],
  );
});

test(`no function inside another one has more than ${MAX_INSIDE} lines`, () => {
  assert.deepEqual(
    longerThan(MAX_INSIDE, ({ isInside }) => isInside),
    [],
  );
});

test('every exception is still needed', () => {
  const lengths = new Map(functions.map(({ name, lines }) => [name, lines]));
  assert.deepEqual(
    Object.keys(LONGER).filter((name) => (lengths.get(name) ?? 0) <= MAX_FUNCTION),
    [],
  );
});
