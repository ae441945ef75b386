// Loaded into the service (`--import`): for each line on standard input, prints its memory as JSON. `collect` collects
// garbage before. `floor` is the smallest heap right after one of V8's own major collections since the previous line.
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let floor: number | null = null;
new PerformanceObserver((list) => {
  const isMajor = list
    .getEntries()
    .some((entry) => (entry as { detail?: { kind: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
  if (isMajor) floor = Math.min(floor ?? Number.POSITIVE_INFINITY, process.memoryUsage().heapUsed);
}).observe({ entryTypes: ['gc'] });

process.stdin.on('data', (line) => {
  if (String(line).includes('collect')) collect();
  const malloced = getHeapStatistics().malloced_memory;
  process.stderr.write(`${JSON.stringify({ memory: { ...process.memoryUsage(), malloced, floor } })}\n`);
  floor = null;
});
process.stdin.unref();

/** Collects all garbage, and gives back to the system the pages that V8 keeps for later. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
