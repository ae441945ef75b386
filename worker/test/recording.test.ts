// The recording of a call: what both sides say on one time line, encoded, and cut into segments. The encoder is the
// real one.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SegmentCreate } from '@switchboard/client';
import { readConfig } from '../conversation/config.ts';
import { answerIn } from '../recording/consent.ts';
import { startEncoder } from '../recording/encoder.ts';
import { createLevels } from '../recording/levels.ts';
import { RATE } from '../recording/mixer.ts';
import { createSegments } from '../recording/segments.ts';
import { constant, decode, FRAME, split, startMixer, tone } from './samples.ts';

test('each side is on its own channel, and a side that begins later begins later', () => {
  const mixer = startMixer();
  const agent = mixer.track('agent');
  mixer.until(1000, () => agent.add(constant(100)));
  const others = mixer.track('others');
  mixer.until(2000, () => [agent.add(constant(100)), others.add(constant(-50))]);
  const [left, right] = split(mixer.take(true));
  assert.deepEqual([left.length, right.length], [2 * RATE, 2 * RATE]);
  assert.ok(left.every((sample) => sample === 100));
  assert.equal(right.indexOf(-50), RATE);
  assert.ok(right.subarray(RATE).every((sample) => sample === -50));
});

test('two others are heard together, without overflow; in mono all are', () => {
  const mixer = startMixer('mono');
  const tracks = [mixer.track('agent'), mixer.track('others'), mixer.track('others')];
  mixer.until(500, () => {
    for (const track of tracks) track.add(constant(20_000));
  });
  const samples = mixer.take(true);
  assert.equal(samples.length, RATE / 2);
  assert.ok(samples.every((sample) => sample === 32_767));
});

test('frames that come late and at once stay where they belong: a busy process shifts nothing', () => {
  const mixer = startMixer();
  const others = mixer.track('others');
  let value = 0;
  const next = () => others.add(constant(++value));
  mixer.until(1000, next);
  // For a second and a half nothing runs.
  mixer.at(2500);
  for (let frame = 0; frame < 75; frame++) next();
  mixer.until(4000, next);
  const [, right] = split(mixer.take(true));
  assert.deepEqual(
    Array.from({ length: 200 }, (_, frame) => right[frame * FRAME]),
    Array.from({ length: 200 }, (_, frame) => frame + 1),
  );
});

test('a side that has paused goes on at its time, and one that is silent holds nobody up', () => {
  const mixer = startMixer();
  const [agent, others] = [mixer.track('agent'), mixer.track('others')];
  const taken: Int16Array[] = [];
  const both = () => [agent.add(constant(1)), others.add(constant(1)), taken.push(mixer.take())];
  const alone = () => [agent.add(constant(1)), taken.push(mixer.take())];
  mixer.until(1000, both);
  mixer.until(6000, alone);
  assert.ok(
    taken.reduce((sum, one) => sum + one.length, 0) > 2 * 2 * RATE,
    'what is known is not kept for a side that is silent',
  );
  mixer.until(12_000, both);
  taken.push(mixer.take(true));
  const [left, right] = split(Int16Array.from(taken.flatMap((one) => [...one])));
  assert.deepEqual([left.length, right.length], [12 * RATE, 12 * RATE]);
  assert.ok(left.every((sample) => sample === 1));
  assert.ok(right.subarray(RATE, 2 * RATE).every((sample) => sample === 0));
  // The pause is noticed within two seconds; from then on everything is in its place.
  assert.ok(right.subarray(10 * RATE, 12 * RATE).every((sample) => sample === 1));
});

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

/** Encodes 20 s, 440 Hz left and 660 Hz right. Writing fails where `fails` says so. */
async function encoded(fails: (segment: SegmentCreate, time: number) => boolean = () => false) {
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
  const encoder = startEncoder('stereo', segments.add, (error) => assert.fail(error));
  for (let second = 0; second < 20; second++) {
    const [left, right] = [tone(440, RATE, second * RATE), tone(660, RATE, second * RATE)];
    const both = Int16Array.from({ length: 2 * RATE }, (_, index) => (index % 2 === 0 ? left : right)[index >> 1] ?? 0);
    levels.add(both);
    encoder.write(both);
    await sleep(1);
  }
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

test('an encoder that ends by itself is reported once', async () => {
  const failures: Error[] = [];
  const ended = Promise.withResolvers<void>();
  const encoder = startEncoder(
    'stereo',
    () => {},
    (error) => {
      failures.push(error);
      ended.resolve();
    },
  );
  process.kill(encoder.pid ?? assert.fail(), 'SIGKILL');
  await ended.promise;
  encoder.write(constant(1));
  await encoder.end();
  assert.equal(failures.length, 1);
});

test('an encoder that is killed while it encodes the rest has failed, once', async () => {
  const failures: Error[] = [];
  const encoder = startEncoder(
    'stereo',
    () => {},
    (error) => failures.push(error),
  );
  const pid = encoder.pid ?? assert.fail();
  process.kill(pid, 'SIGSTOP');
  encoder.write(tone(440, 2 * RATE * 60));
  const ended = encoder.end();
  process.kill(pid, 'SIGKILL');
  await ended;
  assert.deepEqual(
    failures.map(({ message }) => message),
    ['the encoder has ended with SIGKILL before its end'],
  );
});

test('a long speech that is let go at once is encoded to its end, and so is what comes after it', async () => {
  for (const seconds of [60, 100]) {
    const ogg: Buffer[] = [];
    const encoder = startEncoder(
      'stereo',
      (data) => ogg.push(data),
      (error) => assert.fail(error),
    );
    const speech = tone(440, 2 * RATE * seconds);
    encoder.write(speech);
    for (let time = 0; time < 10; time++) encoder.write(new Int16Array((2 * RATE) / 10));
    await encoder.end();
    const samples = decode(Buffer.concat(ogg)).length / 2;
    assert.ok(Math.abs(samples - (seconds + 1) * RATE) < RATE / 20, `${samples / RATE} s of ${seconds + 1}`);
  }
});

test('an encoder that stays behind has failed, once', async () => {
  const failures: Error[] = [];
  const encoder = startEncoder(
    'stereo',
    () => {},
    (error) => failures.push(error),
    50,
  );
  process.kill(encoder.pid ?? assert.fail(), 'SIGSTOP');
  encoder.write(new Int16Array(2 * RATE * 60));
  assert.equal(failures.length, 0);
  await sleep(100);
  for (let time = 0; time < 3; time++) encoder.write(constant(1));
  await encoder.end();
  assert.deepEqual(
    failures.map(({ message }) => message),
    ['the encoder is too slow'],
  );
});

test('words give consent, refuse it, or are neither; both refuse it', () => {
  for (const yes of ['Yes.', 'yeah, sure', 'OK', 'Sí, claro.', 'Ja, gerne.', "Oui, d'accord.", 'I agree.'])
    assert.equal(answerIn(yes), 'given', yes);
  for (const no of ['No.', 'I do not agree.', 'I don’t want that', 'Nein danke', 'Non', 'no, no, sí', 'Yes... no!'])
    assert.equal(answerIn(no), 'refused', no);
  for (const neither of ['Who is this?', 'Hello?', '', 'What do you mean?', 'yesterday', 'nobody'])
    assert.equal(answerIn(neither), null, neither);
});

test('recording is off unless it is enabled, and has defaults; what it cannot be is said', () => {
  const read = (recording: object) => readConfig({ config: { recording }, variables: { who: 'Ada' } }).recording;
  assert.equal(readConfig({ config: {}, variables: {} }).recording, null);
  assert.equal(read({ enabled: false, consent: { type: 'dtmf' } }), null);
  assert.equal(read({ consent: { type: 'dtmf' } }), null);
  assert.deepEqual(read({ enabled: true }), {
    channels: 'stereo',
    pauseOn: [],
    consent: { type: 'none', message: '', onRefusal: 'continue_unrecorded' },
  });
  const consent = { type: 'verbal', message: 'May I record, {{who}}?', on_refusal: 'end' };
  assert.deepEqual(read({ enabled: true, channels: 'mono', pause_on: ['pay'], consent }), {
    channels: 'mono',
    pauseOn: ['pay'],
    consent: { type: 'verbal', message: 'May I record, Ada?', onRefusal: 'end' },
  });
  assert.throws(() => read({ enabled: true, pause_on: ['pay', 1] }), /recording\.pause_on must be a list of texts/);
  assert.throws(() => read({ enabled: 'yes', consent: { type: 'maybe' } }), /consent\.type.*; recording\.enabled/);
});
