// The recording of a call: what both sides say on one time line, and encoded. The encoder is the real one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../conversation/config.ts';
import { answerIn } from '../recording/consent.ts';
import { startEncoder } from '../recording/encoder.ts';
import { RATE } from '../recording/mixer.ts';
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
    // At its end it has three seconds, which a busy machine may need to start it.
    while (ogg.length === 0) await sleep(20);
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
  for (const no of [
    'Okay, but without recording.',
    'Fine, but turn it off.',
    'OK, stop the recording.',
    "Sure, I'd rather you wouldn't.",
    'Ja, aber ohne Aufnahme.',
    'Oui, mais sans enregistrement.',
    'Vale, pero sin grabar.',
  ])
    assert.equal(answerIn(no), 'refused', no);
  const long = 'Yes I am here and I wanted to ask you about my last bill please';
  for (const open of ['Yes, but only my name.', 'OK, if I get a copy.', 'Ja, aber nur kurz.', long])
    assert.equal(answerIn(open), null, open);
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
