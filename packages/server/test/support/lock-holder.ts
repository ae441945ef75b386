// A process that locks the directory of its first argument when told `go`, says how that went, and holds the lock until
// its input ends.
import { once } from 'node:events';
import { lockDirectory } from '../../src/db/lock.ts';

const [dir = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
try {
  const unlock = lockDirectory(dir);
  process.stdout.write('locked\n');
  await once(process.stdin, 'end');
  unlock();
} catch (error) {
  process.stdout.write(`refused ${error instanceof Error ? `${error.name}: ${error.message}` : error}\n`);
}
process.exit(0);
