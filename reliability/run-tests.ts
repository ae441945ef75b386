// Runs the reliability tests: `npm run test:reliability`. `npm run test:reliability -- reliability/killed.test.ts` runs
// one of the files.
import { runTestFiles } from '@switchboard/testkit/test-files.ts';

await runTestFiles({
  dir: 'reliability',
  // A machine with other load lengthens the times that they measure.
  alone: ['hostile', 'killed', 'wire-database', 'wire-providers.carrier', 'wire-providers.media'],
  first: ['inputs', 'schemathesis', 'memory', 'campaigns-killed', 'mutated'],
  // Many of them wait: for a fault to end, a time to pass, minutes of load.
  concurrency: 3,
  timeoutMs: 900_000,
});
