// Runs test files, several to a process: `node packages/testkit/run-tests.ts <files or globs>`. Options
// (`--option=value`) go to Node.js, for each of the processes.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CACHE = path.join(ROOT, 'node_modules/.cache/switchboard');
/** Few enough that a crash takes few files with it, and so many processes that all cores have work to the end. */
const [MOST_FILES, LEAST_PROCESSES] = [20, 8];
/** The longest time of a file, and of each in a process that has one of those that take longest. */
const [TIMEOUT_MS, HEAVY_TIMEOUT_MS] = [120_000, 400_000];

const given = process.argv.slice(2);
const isOption = (argument: string) => argument.startsWith('-');
const isTimed = given.some((argument) => argument.startsWith('--test-timeout='));
/** In the order of the arguments: those that take longest are named first, and begin first. */
const files = [...new Set(given.filter((argument) => !isOption(argument)).flatMap(filesOf))];
if (files.length === 0) throw new Error('no test files');

mkdirSync(CACHE, { recursive: true });
const dir = mkdtempSync(path.join(CACHE, 'tests-'));
const runner = import.meta.resolve('./in-one-process.ts');
const count = Math.max(Math.ceil(files.length / MOST_FILES), Math.min(files.length, LEAST_PROCESSES));
// Neighbors take similar times, so they go to different processes.
const groups = Array.from({ length: count }, (_, group) => {
  const its = files.filter((_file, index) => index % count === group).map((file) => path.join(ROOT, file));
  const file = path.join(dir, `${String(group + 1).padStart(2, '0')}.test.js`);
  const ownTimeout = its.some((one) => one.endsWith('.heavy.test.ts')) ? HEAVY_TIMEOUT_MS : TIMEOUT_MS;
  const list = JSON.stringify(its);
  const timeout = isTimed ? 'null' : ownTimeout;
  writeFileSync(file, `import { runInOneProcess } from '${runner}';\nrunInOneProcess(${list}, ${timeout});\n`);
  return file;
});
const { status } = spawnSync(
  process.execPath,
  [
    `--import=${path.join(import.meta.dirname, 'preload.js')}`,
    '--test',
    '--test-concurrency=4',
    // The library of the worker keeps processes open.
    ...(files.some((file) => file.startsWith('worker/')) ? ['--test-force-exit'] : []),
    ...given.filter(isOption),
    ...groups,
  ],
  { cwd: ROOT, stdio: 'inherit' },
);
rmSync(dir, { recursive: true });
process.exitCode = status ?? 1;

/** Throws if there are none: a file that was renamed would not be tested. */
function filesOf(glob: string): string[] {
  const found = globSync(glob, { cwd: ROOT }).sort();
  if (found.length === 0) throw new Error(`no test file: ${glob}`);
  return found;
}
