// Runs the end-to-end tests: `npm run test:e2e`. `npm run test:e2e -- e2e/talk.test.ts` runs one of the files.
import { runTestFiles } from '@switchboard/testkit/test-files.ts';
import { filesTogether } from './support/console-files.ts';

await runTestFiles({
  dir: 'e2e',
  // Speech is misheard on a busy machine, and times of frames are those of other tests.
  alone: [
    'agent-tests.audio',
    'console.paint',
    'conversation',
    'failover',
    'recording',
    'recording.redaction',
    'sounds',
    'talk',
    'talk.page',
    'transit',
    'web-call',
  ],
  first: [
    'all.consoles-1',
    'all.consoles-2',
    'console.recording-story',
    'recording.kills',
    'console.pages',
    'worker',
    'worker.own',
  ],
  included: filesTogether(),
  concurrency: 2,
  timeoutMs: 120_000,
});
