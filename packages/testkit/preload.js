// Loaded before each test file (`--import`). Plain JavaScript, because Node.js looks into its compile cache only once
// this has enabled it: loading what removes types, for this file alone, takes as long as a short test.
import './current-test.js';
import { readFileSync, statfsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';

const MEMORY = '/dev/shm';
/** Three test files at a time need less than a tenth of this. */
const ROOM_BYTES = 8e9;

// Compiling what all test files load takes as long as many tests. The programs that tests start use the same cache.
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../../node_modules/.cache/switchboard/compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);

// Each database is a copy of hundreds of small files, no byte of which has to survive: ten times faster in memory.
if (process.env.TMPDIR === undefined && hasRoom()) process.env.TMPDIR = MEMORY;

/** Whether temporary files fit into memory, and programs may be run from there, which some tests write. */
function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM_BYTES && !/^\S+ \/dev\/shm .*\bnoexec\b/m.test(readFileSync('/proc/mounts', 'utf8'));
  } catch {
    return false; // Not on Linux.
  }
}
