// Runs test files one after another in one process: starting the embedded database and loading the service takes longer
// than most files do.
import './reusable-database.ts'; // Before any file, so that its databases serve them all.
import { registerHooks } from 'node:module';
import path from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { timeIds } from '../server/src/lib/ids.ts';

/** Test files and the modules beside them, which may hold what the tests of one file share. */
const OF_TESTS = /\/packages\/\w+\/test\/[^?]*$/;

/**
 * Registers each file, a path, as a test with the file's own in it. Each has its own copy of what its tests share. The
 * tests of a file inherit its timeout; null for that of the command line.
 */
export function runInOneProcess(files: string[], timeout: number | null): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const file = context.parentURL && URL.parse(context.parentURL)?.search;
      return file && OF_TESTS.test(resolved.url) ? { ...resolved, url: resolved.url + file } : resolved;
    },
  });
  let over = 0;
  // A test that ends the process would take the files after it along, without a failure.
  process.on('exit', () => {
    if (over === files.length || process.execArgv.some((option) => option.startsWith('--test-name-pattern'))) return;
    console.error(`The process has ended after ${over} of ${files.length} files.`);
    process.exitCode = 1;
  });
  // A suite runs its tests once all of the file has been read; one after another, inside of tests.
  for (const [index, file] of files.entries())
    test(path.relative(process.cwd(), file), { ...(timeout !== null && { timeout }) }, (t) => {
      t.after(() => {
        over++;
        timeIds(Date.now);
      });
      suite('in its process', async () => {
        await import(`${pathToFileURL(file)}?${index}`);
      });
    });
}
