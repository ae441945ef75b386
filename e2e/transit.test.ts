import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingParts, startLab } from '@switchboard/testkit/lab.ts';
import { soundsIn } from '@switchboard/testkit/sounds.ts';
import { joinAsSpeaker, type Speaker } from '@switchboard/testkit/speaker.ts';
import { createTransit } from '../worker/conversation/transit.ts';

const RATE = 24_000;
const [SOUND_MS, PERIOD_MS, COUNT] = [300, 600, 10];
/** Computed and recorded time differ by no more: less than the shortest transit, a packet and its jitter buffer. */
const BOUND_MS = 25;

/** When each sound of one side began, in milliseconds since 1970. */
function begins(side: 'said' | 'heard', speaker: Speaker): number[] {
  const { start, rate, [side]: samples } = speaker.recording();
  return soundsIn(samples, rate, (PERIOD_MS - SOUND_MS) / 2).map(({ begin }) => start + begin);
}

test('sound is on its way for as long as the worker computes, in a recording of both sides', {
  skip: missingParts() ?? false,
}, async (t) => {
  const lab = await startLab();
  const [caller, agent] = await Promise.all([
    joinAsSpeaker(lab, 'transit', 'caller'),
    joinAsSpeaker(lab, 'transit', 'agent'),
  ]);
  t.after(async () => {
    await Promise.all([caller.leave(), agent.leave()]);
    await lab.stop();
  });
  const period = (PERIOD_MS * RATE) / 1000;
  const sounds = Int16Array.from({ length: COUNT * period }, (_, at) =>
    at % period > period / 2 ? 8_000 * Math.sin(at / 9) : 0,
  );
  const transit = createTransit();
  transit.add(await agent.stats());
  await caller.say(sounds);
  transit.add(await agent.stats());

  const [said, heard] = [begins('said', caller), begins('heard', agent)];
  const recorded = said.flatMap((at) => {
    const next = heard.find((other) => other >= at);
    return next !== undefined && next - at < PERIOD_MS ? [next - at] : [];
  });
  t.diagnostic(`recorded ${recorded.join(', ')} ms, computed ${transit.ms()} ms`);
  assert.ok(recorded.length >= COUNT / 2, `${recorded.length} of ${COUNT} sounds were heard`);
  // The mean, as computed: a jitter buffer that grows halfway has two medians.
  const mean = recorded.reduce((sum, ms) => sum + ms, 0) / recorded.length;
  assert.ok(Math.abs(mean - transit.ms()) <= BOUND_MS, `${mean} and ${transit.ms()} ms`);
});
