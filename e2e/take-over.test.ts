// A person takes over a call with a real media server and worker, by what arrives at the caller.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { missingParts } from '@switchboard/testkit/lab.ts';
import { speakIn } from '@switchboard/testkit/speaker.ts';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { openSpokenCalls } from './support/spoken-calls.ts';

const RATE = 24_000;
/** A frequency that no voice has for long. */
const TONE = 3100;
const SOUND = Int16Array.from({ length: RATE / 2 }, (_, at) => 12_000 * Math.sin((2 * Math.PI * TONE * at) / RATE));
const AUDIBLE = 1_500;
const QUESTION = 'When do you open on Sunday?';

/** How loud the tone is in samples (Goertzel). */
function toneIn(samples: Int16Array): number {
  const turn = 2 * Math.cos((2 * Math.PI * TONE) / RATE);
  let [last, before] = [0, 0];
  for (const sample of samples) [last, before] = [sample + turn * last - before, last];
  return (2 * Math.sqrt(Math.max(0, last ** 2 + before ** 2 - turn * last * before))) / Math.max(1, samples.length);
}

const missing = missingParts() ?? missingVoice();
if (missing) {
  test('taking over, in the lab', { skip: missing }, () => {});
} else {
  const { voice, service, answeredCall } = await openSpokenCalls('lab-take-over');
  const ask = (call_id: string, what: string, body?: object) =>
    service.request('POST', `/api/calls/${call_id}/${what}`, body && { body });

  test('the caller hears the person, and the agent nothing of itself until the person has left', async () => {
    const config = { greeting: 'Welcome.', instructions: 'The shop opens at nine.' };
    const { call_id, caller, lines } = await answeredCall(config);
    await lines(1);
    const taken = await ask(call_id, 'take-over');
    assert.deepEqual([taken.status, taken.body.is_simulated], [201, false]);
    const colleague = await speakIn(taken.body.url, taken.body.token);
    const question = await voice.speak(QUESTION);
    await eventually(
      async () => {
        caller.heard();
        await colleague.say(SOUND);
        return toneIn(caller.heard().slice(-SOUND.length));
      },
      (loudness) => loudness > AUDIBLE,
    );
    colleague.heard();
    // An answer to the first would be there by the time of the second.
    for (const count of [2, 3]) {
      await caller.say(question);
      await lines(count);
    }
    const said = (await lines(3)).map(({ speaker }) => speaker);
    assert.deepEqual(said, ['AGENT', 'USER', 'USER']);
    for (const [what, body] of [['take-over'], ['say', { text: 'Hello.' }]] as const) {
      const refused = await ask(call_id, what, body);
      assert.deepEqual([refused.status, refused.body.code], [409, 'agent_taken_over']);
    }
    await colleague.leave();
    // It says that it is there again, and answers.
    await lines(4);
    await caller.say(question);
    const answered = await eventually(
      () => lines(6),
      (all) => all.slice(4).some(({ speaker, content }) => speaker === 'AGENT' && /nine/.test(content)),
    );
    assert.deepEqual(
      answered.slice(0, 5).map(({ speaker }) => speaker),
      ['AGENT', 'USER', 'USER', 'AGENT', 'USER'],
    );
    assert.equal((await service.request('GET', `/api/calls/${call_id}`)).body.call_status, 'ANSWERED');
    await ask(call_id, 'end');
  });

  test('an agent that says last words, or asks for consent, is not interrupted', async () => {
    const recording = { enabled: true, consent: { type: 'dtmf', message: 'Press one if we may record.' } };
    const { call_id, lines } = await answeredCall({ greeting: 'Welcome.', recording });
    await lines(1);
    const refused = await ask(call_id, 'take-over');
    assert.deepEqual([refused.status, refused.body.code], [409, 'agent_busy']);
    await ask(call_id, 'end');
  });
}
