import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toWav } from '../../../worker/local/voice.ts';
import { soundsIn } from '../sounds.ts';
import { createTimeline } from '../timeline.ts';

const RATE = 24_000;
const tone = (ms: number): Int16Array => new Int16Array((RATE * ms) / 1000).map((_, at) => 8_000 * Math.sin(at / 9));

test('a recording has both sides at their true times: a pause is as long as the caller waited', () => {
  const [caller, agent] = [createTimeline(RATE), createTimeline(RATE)];
  caller.add(tone(1_000), 5_000);
  // Read late, at irregular times; the stream itself has no gap.
  for (const [index, late] of [80, 15, 0, 40].entries()) agent.add(tone(100), 8_400 + 100 * index + late);
  const [said, heard] = [caller.from(4_000), agent.from(4_000)];
  assert.deepEqual(soundsIn(said, RATE), [{ begin: 1_000, end: 2_000 }]);
  assert.deepEqual(soundsIn(heard, RATE), [{ begin: 4_400, end: 4_800 }]);
});

test('samples that were played late are at the time at which they were played, if their source knows it', () => {
  const caller = createTimeline(RATE, 20);
  for (const [index, late] of [0, 0, 90, 90].entries()) caller.add(tone(100), 5_000 + 100 * index + late);
  assert.deepEqual(soundsIn(caller.from(4_000), RATE, 50), [
    { begin: 1_000, end: 1_200 },
    { begin: 1_290, end: 1_490 },
  ]);
});

test('each side is a channel of the file', () => {
  const wav = toWav(Int16Array.of(1, 2), RATE, Int16Array.of(3, 4, 5));
  assert.deepEqual([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt32LE(28)], [2, RATE, RATE * 4]);
  assert.deepEqual([...new Int16Array(Uint8Array.from(wav.subarray(44)).buffer)], [1, 3, 2, 4, 0, 5]);
});
