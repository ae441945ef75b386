// Measures spoken turns, which needs a machine that does nothing else, and so is not one of the tests of each change:
// `npm run test:e2e -- e2e/conversation.timing.ts`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { openSpokenCalls } from './support/spoken-calls.ts';
import { compareWaits } from './support/waits.ts';

const OPENING = 'The library opens at ten on Sundays.';
const QUESTIONS = [
  'When do you open on Sunday?',
  'Where can I park?',
  'When do you open on Sunday?',
  'Can I bring my dog?',
  'When do you open on Sunday?',
];
/** The median difference of the API's latency and the one in the recording: without correction it is two transits. */
const BOUND_MS = 75;

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('the timing of a conversation', { skip: missing }, () => {});
} else {
  const { voice, service, answeredCall } = await openSpokenCalls('lab-timing');
  const spoken = await Promise.all(QUESTIONS.map((question) => voice.speak(question)));

  test('the reported latency is what the caller waited, in a recording of both sides', async (t) => {
    const config = { instructions: OPENING, greeting: 'Welcome to the library.' };
    const { call_id, caller, lines } = await answeredCall(config);
    await lines(1);
    for (const [index, question] of spoken.entries()) {
      await caller.say(question);
      await lines(3 + 2 * index);
    }
    const { body } = await eventually(
      () => service.request('GET', `/api/sessions/${call_id}/turns`),
      (turns) => turns.body.items.length === QUESTIONS.length,
    );
    const { waits, hidden, late, median } = compareWaits(caller.recording(), body.items);
    t.diagnostic(
      `waited ${waits.join(', ')} ms; longer than reported by ${hidden.join(', ')} ms; end late by ${late.join(', ')}`,
    );
    assert.equal(waits.length, QUESTIONS.length);
    assert.ok(Math.abs(median) <= BOUND_MS, `the median differs by ${median} ms`);
  });
}
