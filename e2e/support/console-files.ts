import { globSync } from 'node:fs';
import path from 'node:path';

const DIR = path.resolve(import.meta.dirname, '..');
/** Files of the console whose measurements, or whose length, need a process of their own. */
const APART = ['console.load', 'console.pages', 'console.paint', 'console.recording-story', 'console.talk'];

/** Names of the files that run in a few processes: starting the service and Chromium takes longer than many tests. */
export function filesTogether(): string[] {
  const files = globSync('console.*test.ts', { cwd: DIR }).map((file) => path.basename(file, '.test.ts'));
  return ['reference', ...files.filter((file) => !APART.includes(file)).sort()];
}
