import path from 'node:path';
import { after, suite, test } from 'node:test';
import { missingBrowser } from './browser.ts';
import { openConsole } from './console.ts';
import { filesTogether } from './console-files.ts';

/** Processes that the files are distributed to. */
const PROCESSES = 2;
/** The longest time of a file, and so of each of its tests. */
const FILE_MS = 400_000;

/** Runs each second of the files, one after the other, in this process and in one Chromium. */
export async function runTogether(part: number): Promise<void> {
  if (!missingBrowser()) {
    // Keeps Chromium from ending between two files.
    const { close } = await openConsole('');
    after(close);
  }
  for (const [index, name] of filesTogether().entries())
    if (index % PROCESSES === part)
      test(name, { timeout: FILE_MS }, () => {
        // It runs its tests once all of the file has been read.
        suite('in its process', async () => {
          await import(path.resolve(import.meta.dirname, '..', `${name}.test.ts`));
        });
      });
}
