// Runs the end-to-end tests: `npm run test:e2e`. `npm run test:e2e -- e2e/talk.test.ts` runs one of the files.
import { runTestFiles } from '@switchboard/testkit/test-files.ts';
import { filesTogether } from './support/console-files.ts';

await runTestFiles({
  dir: 'e2e',
  // Speech is misheard on a busy machine, and times of frames are those of other tests.
  alone: ['console.paint', 'conversation', 'talk', 'talk.page', 'transit', 'web-call'],
  // They mostly wait: for leases that end, and calls that nobody answers.
  beside: ['chats.killed', 'chats.python', 'livekit', 'without-sip'],
  together: filesTogether(),
  concurrency: 3,
  timeoutMs: 120_000,
});
