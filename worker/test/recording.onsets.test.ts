// Where the sound of a line begins in a recording.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplesIn } from '../recording/mixer.ts';
import { createOnsets } from '../recording/onsets.ts';
import { createRecorder } from '../recording/recorder.ts';
import { tone } from './samples.ts';

/** Twenty seconds of both sides, silent but for a little noise; a side speaks in these parts. */
function heard(parts: Record<'agent' | 'others', [from_ms: number, to_ms: number][]>) {
  const sides = (['agent', 'others'] as const).map((side) => {
    const samples = Int16Array.from({ length: samplesIn(20_000) }, (_, index) => (index % 7) - 3);
    for (const [from, to] of parts[side]) samples.set(tone(440, samplesIn(to - from)), samplesIn(from));
    return samples;
  });
  const both = Int16Array.from({ length: 2 * samplesIn(20_000) }, (_, at) => sides[at % 2]?.[at >> 1] ?? 0);
  const onsets = createOnsets('stereo');
  // In pieces that end anywhere.
  for (let at = 0; at < both.length; at += 2 * 1_111) onsets.add(both.subarray(at, at + 2 * 1_111));
  return onsets;
}

test('the beginning is where sound begins on that side, though it is known a little late or early', () => {
  const onsets = heard({
    agent: [[3_000, 5_000]],
    others: [
      [7_130, 7_400],
      [7_450, 9_000],
    ],
  });
  for (const about of [2_600, 3_000, 3_350]) assert.ok(Math.abs(onsets.nearest('agent', about) - 3_000) <= 20);
  // The pause within a sentence is too short to begin anything.
  for (const about of [6_900, 7_300, 7_800]) assert.ok(Math.abs(onsets.nearest('others', about) - 7_130) <= 20);
});

test('without a beginning nearby, the time that is known stays', () => {
  const onsets = heard({ agent: [[0, 20_000]], others: [[3_000, 4_000]] });
  assert.equal(onsets.nearest('agent', 10_000), 10_000);
  assert.equal(onsets.nearest('others', 12_345), 12_345);
  assert.equal(onsets.nearest('others', 900_000), 900_000);
});

test('nothing is known of sound that is not recorded', () => {
  const recorder = createRecorder({} as never, 'stereo', {} as never, { warn: assert.fail, error: assert.fail });
  assert.equal(recorder.onset('agent', Date.now()), null);
});
