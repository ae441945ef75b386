// The segments of a recording, as they are written by a worker whose disk may be full. The encoder is the real one.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SegmentCreate } from '@switchboard/client';
import { startEncoder } from '../recording/encoder.ts';
import { createLevels } from '../recording/levels.ts';
import { RATE } from '../recording/mixer.ts';
import { createSegments } from '../recording/segments.ts';
import { decode, split, tone } from './samples.ts';

/** The share of a tone in samples, from 0 to 1. */
function shareOf(frequency: number, samples: Int16Array): number {
  let [sin, cos, all] = [0, 0, 0];
  for (const [index, sample] of samples.entries()) {
    sin += sample * Math.sin((2 * Math.PI * frequency * index) / RATE);
    cos += sample * Math.cos((2 * Math.PI * frequency * index) / RATE);
    all += sample * sample;
  }
  return all === 0 ? 0 : (2 * (sin * sin + cos * cos)) / (all * samples.length);
}

/** Encodes 440 Hz left and 660 Hz right. Writing fails where `fails` says so. */
async function encoded(fails: (segment: SegmentCreate, time: number) => boolean = () => false, seconds = 20) {
  const written: SegmentCreate[] = [];
  const lost: unknown[] = [];
  let times = 0;
  const levels = createLevels('stereo');
  const segments = createSegments(
    async (segment) => {
      if (fails(segment, times++)) throw new Error('the disk is full');
      written.push(segment);
    },
    (error) => lost.push(error),
    levels,
  );
  let hasBegun = false;
  const onData = (ogg: Buffer) => {
    hasBegun = true;
    segments.add(ogg);
  };
  const encoder = startEncoder('stereo', onData, (error) => assert.fail(error));
  for (let second = 0; second < seconds; second++) {
    const [left, right] = [tone(440, RATE, second * RATE), tone(660, RATE, second * RATE)];
    const both = Int16Array.from({ length: 2 * RATE }, (_, index) => (index % 2 === 0 ? left : right)[index >> 1] ?? 0);
    levels.add(both);
    encoder.write(both);
    await sleep(1);
  }
  // At its end it has three seconds, which a busy machine may need to start it.
  while (!hasBegun) await sleep(20);
  await encoder.end();
  const count = await segments.end();
  const bytes = written.map(({ audio }) => Buffer.from(audio, 'base64'));
  return { written, lost, count, bytes, whole: Buffer.concat(bytes) };
}

test('segments of a few seconds, one after another, are the file: the agent left, the others right', async () => {
  const { written, count, bytes, whole } = await encoded();
  assert.equal(count, written.length);
  let at = 0;
  for (const [index, { seq, from_ms, to_ms, sha256 }] of written.entries()) {
    assert.deepEqual([seq, from_ms], [index, at]);
    assert.ok(to_ms - from_ms <= 5_000, `${to_ms - from_ms} ms`);
    assert.equal(
      sha256,
      createHash('sha256')
        .update(bytes[index] ?? '')
        .digest('hex'),
    );
    assert.equal(bytes[index]?.toString('latin1', 0, 4), 'OggS');
    at = to_ms;
  }
  assert.ok(Math.abs(at - 20_000) < 50, `${at} ms`);
  const [left, right] = split(decode(whole));
  assert.ok(Math.abs(left.length - 20 * RATE) < RATE / 20, `${left.length} samples`);
  assert.ok(shareOf(440, left) > 0.95 && shareOf(660, left) < 0.01, `${shareOf(440, left)} ${shareOf(660, left)}`);
  assert.ok(shareOf(660, right) > 0.95 && shareOf(440, right) < 0.01);
});

const levelsIn = (segments: SegmentCreate[]) =>
  segments.flatMap(({ levels }) => [...Buffer.from(levels ?? '', 'base64')]);

test('segments have the loudness of each side, in tenths of a second, as loud as it is', async () => {
  for (const fails of [() => false, (_: SegmentCreate, time: number) => time === 1 || time === 2]) {
    const { written } = await encoded(fails);
    const [left, right] = split(Int16Array.from(levelsIn(written)));
    // A tone of 8000 is at -15.3 dBFS.
    const expected = Math.round(255 * (1 + (20 * Math.log10(8000 / Math.SQRT2 / 32_768)) / 60));
    assert.ok(left.length >= 199 && left.length <= 200, `${left.length}`);
    for (const level of [...left, ...right]) assert.ok(Math.abs(level - expected) <= 1, `${level} ${expected}`);
    assert.ok(
      written.every(({ levels = '', from_ms, to_ms }) => {
        const count = Buffer.from(levels, 'base64').length / 2;
        return Math.abs(count - (to_ms - from_ms) / 100) <= 1;
      }),
    );
  }
});

test('silence has no loudness, full scale has all of it, and mono has one channel', () => {
  const levels = createLevels('mono');
  levels.add(new Int16Array(RATE / 10));
  levels.add(new Int16Array(RATE / 10).fill(32_767));
  levels.add(new Int16Array(RATE / 20).fill(20));
  assert.deepEqual([...Buffer.from(levels.read(0, 1000), 'base64')], [0, 255]);
  levels.add(new Int16Array(RATE / 20).fill(20));
  levels.forget(200);
  assert.deepEqual([...Buffer.from(levels.read(200, 300), 'base64')], [0]);
});

test('what arrived of a worker that was killed can be played to its end', async () => {
  const { bytes, written } = await encoded();
  const [left] = split(decode(Buffer.concat(bytes.slice(0, 3))));
  assert.ok(Math.abs(left.length / RATE - (written[2]?.to_ms ?? 0) / 1000) < 0.1);
});

test('a segment that cannot be written is tried again with the next one, and none is missing', async () => {
  const { lost, written, whole } = await encoded((_segment, time) => time === 1 || time === 2);
  assert.equal(lost.length, 2);
  assert.deepEqual(
    written.map(({ seq }) => seq),
    written.map((_, index) => index),
  );
  assert.ok(written.every(({ from_ms }, index) => from_ms === (index === 0 ? 0 : written[index - 1]?.to_ms)));
  assert.ok(Math.abs(decode(whole).length / 2 - 20 * RATE) < RATE / 20);
});

test('segments that wait for a full disk stay as long as the service takes them', async () => {
  const { written, whole } = await encoded((_segment, time) => time >= 1 && time < 25, 90);
  assert.ok(written.length > 25);
  for (const [index, { from_ms, to_ms }] of written.entries()) {
    assert.equal(from_ms, written[index - 1]?.to_ms ?? 0);
    assert.ok(to_ms - from_ms <= 5_000, `${to_ms - from_ms} ms`);
  }
  assert.ok(Math.abs(decode(whole).length / 2 - 90 * RATE) < RATE / 20);
});

/** A page of Ogg with 10 KB of sound up to that time. */
function page(end_ms: number): Buffer {
  const bytes = Buffer.alloc(27 + 40 + 40 * 255, 255);
  bytes.write('OggS');
  bytes.writeBigInt64LE(BigInt(end_ms * 48), 6);
  bytes.writeUInt8(40, 26);
  return bytes;
}

test('what is too much for the memory of a worker with a full disk is dropped, but never the beginning', async () => {
  for (const fullFrom of [0, 1]) {
    let isFull = false;
    const written: SegmentCreate[] = [];
    const write = async (one: SegmentCreate) => {
      if (isFull) throw new Error('the disk is full');
      written.push(one);
    };
    const segments = createSegments(write, () => {}, createLevels('stereo'));
    for (let index = 0; index < 200; index++) {
      isFull = index >= fullFrom;
      segments.add(page((index + 1) * 3_000));
      await sleep(0);
    }
    isFull = false;
    const count = await segments.end();
    assert.equal(count, written.length);
    assert.deepEqual(
      written.map(({ seq }) => seq),
      written.map((_, index) => index),
    );
    assert.equal(written[0]?.from_ms, 0);
    const kept = written.slice(1);
    assert.ok(kept.length > 50 && kept.length < 100, `${kept.length}`);
    assert.deepEqual(
      kept.map(({ to_ms }) => to_ms),
      kept.map((_, index) => (200 - kept.length + index + 1) * 3_000),
    );
  }
});
