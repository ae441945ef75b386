import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Suite {
  /** The directory of the test files, from the repository's root. */
  dir: string;
  /** Names of the files that run one at a time, before the others. */
  alone: string[];
  /** The longest time of a test. */
  timeoutMs: number;
}

/**
 * Runs the test files of a directory, or only those that the command line names; its options (`--option=value`) go to
 * the test runner. All files run, whatever fails; the exit code is 1 if anything has failed.
 */
export function runTestFiles({ dir, alone, timeoutMs }: Suite): void {
  const given = process.argv.slice(2);
  const named = given.filter((argument) => !argument.startsWith('-'));
  const files = named.length > 0 ? named : globSync(`${dir}/*.test.ts`, { cwd: ROOT }).sort();
  const options = [
    '--test-force-exit',
    `--test-timeout=${timeoutMs}`,
    ...given.filter((argument) => argument.startsWith('-')),
  ];
  const isAlone = (file: string) => alone.includes(path.basename(file, '.test.ts'));
  const others = files.filter((file) => !isAlone(file));
  const results = [run(files.filter(isAlone), 1, options), run(others, 2, options)];
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

/** Whether the files have passed, so many at a time. */
function run(files: string[], concurrency: number, options: string[]): boolean {
  if (files.length === 0) return true;
  const args = ['--test', `--test-concurrency=${concurrency}`, ...options, ...files];
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status === 0;
}
