// Sounds beside the agent's words, through a real media server: what the caller hears between the words and of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { assertHeard, missingVoice } from '@switchboard/testkit/voice.ts';
import { openSpokenCalls } from './support/spoken-calls.ts';

const RATE = 24_000;
const BLOCK = RATE / 50;
/** Loudness of speech (RMS of 16 bits). */
const LOUD = 1_500;
const OPENING = 'The library opens at ten on Sundays.';

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('a call with a background', { skip: missing }, () => {});
} else {
  const { voice, service, answeredCall } = await openSpokenCalls('lab-sounds');

  /** Loudness between the words, from the greeting on: the agent is silent for more than a tenth of this time. */
  function betweenWords(samples: Int16Array): number {
    const blocks = Array.from({ length: Math.floor(samples.length / BLOCK) }, (_, block) => {
      const part = samples.subarray(block * BLOCK, (block + 1) * BLOCK);
      return Math.sqrt(part.reduce((sum, one) => sum + one * one, 0) / BLOCK);
    });
    const said = blocks.slice(blocks.findIndex((one) => one > LOUD));
    return said.sort((a, b) => a - b)[Math.floor(said.length / 10)] ?? assert.fail('nothing was said');
  }

  for (const [what, sounds, least, most] of [
    ['an office', { background: 'office', thinking: 'keyboard' }, 50, LOUD],
    ['nothing', {}, 0, 20],
  ] as const)
    test(`a caller hears ${what} between the words of the agent, and both understand each other`, async () => {
      const question = await voice.speak('When do you open on Sunday?');
      const { caller, call_id, lines } = await answeredCall({
        instructions: `Be kind. ${OPENING}`,
        greeting: 'Welcome to the library.',
        sounds,
      });
      await lines(1);
      await caller.say(question);
      const [, asked, answer] = await lines(3);
      assertHeard(asked?.content, 'When do you open on Sunday?');
      assert.equal(answer?.content, OPENING);
      // The transcript may have the answer before the agent has said it.
      const words = await eventually(
        () => voice.recognize(caller.recording().heard),
        (text) => /library opens at/i.test(text),
      );
      assert.match(words, /welcome to the library/i);
      const loudness = betweenWords(caller.recording().heard);
      assert.ok(loudness >= least && loudness <= most, `${loudness} between the words`);
      await service.request('POST', `/api/calls/${call_id}/end`);
    });
}
