import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Suite {
  /** The directory of the test files, from the repository's root. */
  dir: string;
  /** Names of the files that run one at a time, before the others. */
  alone: string[];
  /** Names of files that run two at a time while those do, on what these leave of the processors. */
  beside?: string[];
  /** Names of files that other files of the directory run. */
  together?: string[];
  /** How many of all others run at a time. */
  concurrency?: number;
  /** The longest time of a test. */
  timeoutMs: number;
}

/**
 * Runs the test files of a directory, or only those that the command line names; its options (`--option=value`) go to
 * the test runner. All files run, whatever fails; the exit code is 1 if anything has failed.
 */
export async function runTestFiles(suite: Suite): Promise<void> {
  const { dir, alone, beside = [], together = [], concurrency = 2, timeoutMs } = suite;
  const given = process.argv.slice(2);
  const named = given.filter((argument) => !argument.startsWith('-'));
  const isOneOf = (names: string[]) => (file: string) => names.includes(path.basename(file, '.test.ts'));
  const all = globSync(`${dir}/*.test.ts`, { cwd: ROOT }).filter((file) => !isOneOf(together)(file));
  const files = named.length > 0 ? named : all.sort();
  const options = [
    '--test-force-exit',
    `--test-timeout=${timeoutMs}`,
    ...given.filter((argument) => argument.startsWith('-')),
  ];
  const results = await Promise.all([
    run(files.filter(isOneOf(alone)), 1, options),
    run(files.filter(isOneOf(beside)), 2, options, true),
  ]);
  const others = files.filter((file) => !isOneOf([...alone, ...beside])(file));
  results.push(await run(others, concurrency, options));
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

/** Whether the files have passed, so many at a time. In the background they yield to others, and are shown late. */
async function run(files: string[], concurrency: number, options: string[], inBackground = false): Promise<boolean> {
  if (files.length === 0) return true;
  const args = ['--test', `--test-concurrency=${concurrency}`, ...options, ...files];
  const output = inBackground ? 'pipe' : 'inherit';
  const runner = spawn(process.execPath, args, { cwd: ROOT, stdio: ['inherit', output, 'inherit'] });
  const exit = once(runner, 'exit');
  // Before it has started a file, which inherits it.
  if (inBackground && runner.pid) setPriority(runner.pid, constants.priority.PRIORITY_LOW);
  if (runner.stdout) process.stdout.write(await text(runner.stdout));
  const [status] = await exit;
  return status === 0;
}
