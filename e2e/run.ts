// Runs the end-to-end tests: `npm run test:e2e`. `npm run test:e2e -- e2e/talk.test.ts` runs one of the files.
import { runTestFiles } from '@switchboard/testkit/test-files.ts';

runTestFiles({
  dir: 'e2e',
  // Speech is misheard on a busy machine, and times of frames are those of other tests.
  alone: ['console.load', 'conversation', 'talk', 'talk.page', 'transit', 'web-call'],
  timeoutMs: 120_000,
});
