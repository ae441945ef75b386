// A recording whose sound is held back until it is cleared, on a clock of the test.
import assert from 'node:assert/strict';
import { createClearance } from '../recording/clearance.ts';
import { createDelay } from '../recording/delay.ts';
import { RATE, samplesIn } from '../recording/mixer.ts';
import { FRAME, startMixer, tone } from './samples.ts';

export type Act = (clearance: ReturnType<typeof createClearance>) => void;

/** A call of both sides' tones. `acts` happen at their times; `until_ms` is when it ends. */
export function delayed(
  acts: readonly (readonly [ms: number, act: Act])[],
  until_ms: number,
  channels: 'stereo' | 'mono' = 'stereo',
) {
  let now = 0;
  const mixer = startMixer(channels);
  const clearance = createClearance(2_000, () => now);
  const delay = createDelay(channels, clearance, 0, () => Number.POSITIVE_INFINITY);
  const [agent, others] = [mixer.track('agent'), mixer.track('others')];
  const width = channels === 'stereo' ? 2 : 1;
  const out: Int16Array[] = [];
  let count = 0;
  /** Milliseconds that had left by each tenth of a second. */
  const left: number[] = [];
  const take = (samples: Int16Array) => {
    out.push(samples);
    count += samples.length / width;
  };
  for (let frame = 0; frame * 20 < until_ms; frame++) {
    for (const [ms, act] of acts) if (ms === now) act(clearance);
    now += 20;
    mixer.at(now);
    agent.add(tone(440, FRAME, frame * FRAME));
    others.add(tone(660, FRAME, frame * FRAME));
    if (frame % 5 === 4) take(delay.pass(mixer.take(), now));
    if (frame % 5 === 4) left.push((count * 1000) / RATE);
  }
  take(delay.pass(mixer.take(true), now));
  for (const [ms, act] of acts) if (ms >= until_ms) act(clearance);
  take(delay.end(now));
  return { out, left, redactedIn: delay.redactedIn, samples: Int16Array.from(out.flatMap((one) => [...one])) };
}

export const leftAt = (left: number[], ms: number) => left[ms / 100 - 1] ?? assert.fail();

export function isSilent(samples: Int16Array, from_ms: number, to_ms: number): boolean {
  const part = samples.subarray(samplesIn(from_ms), samplesIn(to_ms));
  assert.ok(part.length > 0);
  return part.every((sample) => sample === 0);
}

export const isLoud = (samples: Int16Array, from_ms: number, to_ms: number) =>
  samples.subarray(samplesIn(from_ms), samplesIn(to_ms)).filter((one) => Math.abs(one) > 4000).length >
  samplesIn(to_ms - from_ms) / 3;
