// Runs the end-to-end tests: `npm run test:e2e`. `npm run test:e2e -- e2e/talk.test.ts` runs one of the files.
import { runTestFiles } from '@switchboard/testkit/test-files.ts';
import { filesTogether } from './support/console-files.ts';

await runTestFiles({
  dir: 'e2e',
  // Times of frames would be those of other tests.
  alone: ['console.paint'],
  // Speech is misheard on a busy machine.
  inRealTime: [
    'agent-tests.audio',
    'conversation',
    'failover',
    'recording',
    'recording.redaction',
    'sounds',
    'talk',
    'talk.page',
    'transit',
    'web-call',
    'worker.own',
  ],
  first: [
    'all.consoles-1',
    'all.consoles-2',
    'console.recording-story',
    'recording.kills',
    'console.pages',
    'worker',
  ],
  included: filesTogether(),
  concurrency: 2,
  timeoutMs: 120_000,
});
