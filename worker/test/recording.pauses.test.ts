// Pauses of a recording: silent in what is stored, and declared.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SegmentCreate } from '@switchboard/client';
import { startEncoder } from '../recording/encoder.ts';
import { createLevels } from '../recording/levels.ts';
import { samplesIn } from '../recording/mixer.ts';
import { createSegments } from '../recording/segments.ts';
import { decode, FRAME, split, startMixer, tone } from './samples.ts';

/** Audio that the encoder makes of ten seconds of both sides, with pauses from and to these times. */
async function paused(pauses: readonly (readonly [from_ms: number, to_ms: number])[], channels: 'stereo' | 'mono') {
  const mixer = startMixer(channels);
  const [agent, others] = [mixer.track('agent'), mixer.track('others')];
  const written: SegmentCreate[] = [];
  const levels = createLevels(channels);
  const onLost = (error: unknown) => assert.fail(String(error));
  const segments = createSegments(async (one) => void written.push(one), onLost, levels, mixer.pausesIn);
  const encoder = startEncoder(channels, segments.add, (error) => assert.fail(error));
  const take = (isLast = false) => {
    const samples = mixer.take(isLast);
    levels.add(samples);
    encoder.write(samples);
  };
  for (let frame = 0; frame < 500; frame++) {
    mixer.at(frame * 20);
    for (const [from, to] of pauses) {
      if (frame * 20 === from) mixer.pause();
      if (frame * 20 === to) mixer.resume();
    }
    mixer.at((frame + 1) * 20);
    agent.add(tone(440, FRAME, frame * FRAME));
    others.add(tone(660, FRAME, frame * FRAME));
    if (frame % 5 === 4) take();
  }
  take(true);
  // At its end the encoder is given three seconds, which a busy machine may need for less than this.
  while ((written.at(-1)?.to_ms ?? 0) < 9000) await sleep(20);
  await encoder.end();
  await segments.end();
  return { written, samples: decode(Buffer.concat(written.map(({ audio }) => Buffer.from(audio, 'base64')))) };
}

test('pauses are silent on both sides of what can be played, and each segment says where', async () => {
  for (const channels of ['stereo', 'mono'] as const) {
    // The first one goes over the end of a segment; the third begins before the second is taken.
    const asked = [
      [2000, 4000],
      [6000, 6500],
      [6520, 7000],
      [9000, 99_000],
    ] as const;
    const { written, samples } = await paused(asked, channels);
    const said = written.flatMap(({ pauses = [] }) => pauses);
    const joined: { from_ms: number; to_ms: number }[] = [];
    for (const one of said) {
      const last = joined.at(-1);
      if (last?.to_ms === one.from_ms) last.to_ms = one.to_ms;
      else joined.push({ ...one });
    }
    const end = written.at(-1)?.to_ms ?? 0;
    const pauses = [
      { from_ms: 2000, to_ms: 4000 },
      { from_ms: 6000, to_ms: 7000 },
      { from_ms: 9000, to_ms: end },
    ];
    assert.deepEqual(joined, pauses);
    assert.ok(said.length > joined.length, 'a pause over two segments is in both');
    const sides = channels === 'stereo' ? split(samples) : [samples];
    const loudest = (side: Int16Array, from_ms: number, to_ms: number) =>
      side.subarray(samplesIn(from_ms), samplesIn(to_ms)).reduce((max, one) => Math.max(max, Math.abs(one)), 0);
    for (const side of sides) {
      // Opus rings for some hundredths of a second.
      for (const { from_ms, to_ms } of pauses) {
        const loud = loudest(side, from_ms + 60, to_ms - 60);
        assert.ok(loud <= 2, `${loud} from ${from_ms} to ${to_ms}`);
      }
      for (const at of [1000, 5000, 8000]) assert.ok(loudest(side, at, at + 500) > 6000, `there is sound at ${at}`);
    }
  }
});
