import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnfinished } from '../conversation/pauses.ts';
import { createHearing, createLead } from '../conversation/sounds.ts';

const RATE = 24_000;
const FRAME_MS = 50;

/** Frames of 50 ms: sound of this amplitude, over noise. */
function frames(ms: number, amplitude: number, noise = 5) {
  return Array.from({ length: ms / FRAME_MS }, () => {
    const data = Int16Array.from({ length: (RATE * FRAME_MS) / 1000 }, (_, at) => {
      const hiss = noise * Math.sin(at * at);
      return amplitude * Math.sin(at / 9) + hiss;
    });
    return { data, sampleRate: RATE, channels: 1, samplesPerChannel: data.length };
  });
}

/** The sound that is noticed when these frames arrive, each a little late. */
function hear(all: ReturnType<typeof frames>) {
  let clock = 1_000_000;
  const hearing = createHearing(() => clock);
  for (const [index, frame] of all.entries()) {
    clock = 1_000_000 + (index + 1) * FRAME_MS + ([0, 30, 12, 45][index % 4] ?? 0);
    hearing.add(frame);
  }
  return hearing;
}

test('speech ends with its last sound, however late the voice detection says so', () => {
  const hearing = hear([...frames(2_000, 0), ...frames(1_500, 6_000), ...frames(600, 0)]);
  for (const late of [0, 60, 210, 400]) {
    const end = hearing.endOfSpeech(1_003_500 + late) - 1_000_000;
    assert.ok(Math.abs(end - 3_500) <= 10, `${end} for a report ${late} ms late`);
  }
});

test('noise on the line is no speech, and where all of it is noise the report stands', () => {
  const noisy = hear([...frames(500, 0, 100), ...frames(1_000, 6_000, 100), ...frames(600, 0, 100)]);
  assert.ok(Math.abs(noisy.endOfSpeech(1_001_700) - 1_001_500) <= 10);
  const loud = hear([...frames(500, 0, 3_000), ...frames(1_000, 4_000, 3_000), ...frames(600, 0, 3_000)]);
  assert.equal(loud.endOfSpeech(1_001_700), 1_001_700);
});

test('a stream that pauses is dated anew', () => {
  let clock = 5_000;
  const hearing = createHearing(() => clock);
  for (const frame of frames(500, 6_000)) {
    clock += FRAME_MS;
    hearing.add(frame);
  }
  clock += 60_000;
  for (const frame of [...frames(500, 6_000), ...frames(300, 0)]) {
    clock += FRAME_MS;
    hearing.add(frame);
  }
  assert.ok(Math.abs(hearing.endOfSpeech(clock - 150) - (clock - 300)) <= 10);
});

test('speech that begins with silence is heard after it', () => {
  const lead = createLead();
  for (const frame of frames(150, 0)) lead.add(frame);
  assert.equal(lead.ms(), 0);
  for (const frame of frames(150, 6_000)) lead.add(frame);
  assert.ok(Math.abs(lead.ms() - 150) < 2, `${lead.ms()}`);
});

test('callers go on after a greeting and in the middle of a sentence, and not after a question', () => {
  for (const text of [
    'Hello.',
    'Hi there,',
    'Good-bye.',
    'Good morning!',
    'Um, well,',
    'I would like to',
    'My name is',
    'Bonjour.',
  ])
    assert.ok(isUnfinished(text), text);
  for (const text of [
    'When do you open on Sunday?',
    'Yes.',
    'No.',
    'Hello, when do you open?',
    'That is all.',
    'Okay.',
    'Ten.',
  ])
    assert.ok(!isUnfinished(text), text);
});
