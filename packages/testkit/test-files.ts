import { globSync } from 'node:fs';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Names are those of files without `.test.ts`. */
interface Suite {
  /** The directory of the test files, from the repository's root. */
  dir: string;
  /** Files that run one at a time, before the others. */
  alone: string[];
  /** Those of the others that take longest: at the end they would run by themselves. */
  first: string[];
  /** Files that other files of the directory run. */
  included?: string[];
  /** How many of the others run at a time. */
  concurrency: number;
  /** The longest time of a file, and of a test. */
  timeoutMs: number;
}

/**
 * Runs the test files of a directory, or only those that the command line names; its options (`--option=value`) go to
 * the files' processes. All files run, whatever fails; the exit code is 1 if anything has failed.
 */
export async function runTestFiles(suite: Suite): Promise<void> {
  const { dir, alone, first, included = [], concurrency, timeoutMs } = suite;
  const given = process.argv.slice(2);
  const named = given.filter((argument) => !argument.startsWith('-'));
  const nameOf = (file: string) => path.basename(file, '.test.ts');
  const all = globSync(`${dir}/*.test.ts`, { cwd: ROOT }).filter((file) => !included.includes(nameOf(file)));
  const rank = (file: string) => [...first, nameOf(file)].indexOf(nameOf(file));
  const files = named.length > 0 ? named : all.sort().sort((one, other) => rank(one) - rank(other));
  const execArgv = [
    `--import=${path.join(import.meta.dirname, 'preload.js')}`,
    '--test-force-exit',
    `--test-timeout=${timeoutMs}`,
    ...given.filter((argument) => argument.startsWith('-')),
  ];
  const isAlone = (file: string) => alone.includes(nameOf(file));
  await runFiles(files.filter(isAlone), 1, execArgv);
  const others = files.filter((file) => !isAlone(file));
  await runFiles(others, concurrency, execArgv);
}

/** Runs files in this order, so many at a time: the test runner's command line would sort them. */
async function runFiles(files: string[], concurrency: number, execArgv: string[]): Promise<void> {
  if (files.length === 0) return;
  const events = run({ files: files.map((file) => path.resolve(ROOT, file)), cwd: ROOT, concurrency, execArgv });
  events.on('test:fail', () => {
    process.exitCode = 1;
  });
  for await (const text of events.compose<NodeJS.ReadableStream>(new spec())) process.stdout.write(text);
}
