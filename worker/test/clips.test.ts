// Sounds of the library and of the operator's folder, decoded by the library's FFmpeg.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { getFfmpegPath } from '@livekit/av';
import type { AudioFrame } from '@livekit/rtc-node';
import { createClips } from '../conversation/clips.ts';
import { loudnessOf, RATE } from './room-ears.ts';
import { tone } from './samples.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-sounds-'));
after(() => rm(dir, { recursive: true }));

/** A file of the operator; its ending says the format. */
async function save(name: string, samples: Int16Array, rate = RATE): Promise<void> {
  const input = ['-f', 's16le', '-ar', String(rate), '-ac', '1', '-i', 'pipe:0'];
  const args = ['-loglevel', 'error', ...input, '-c:a', name.endsWith('.wav') ? 'pcm_s16le' : 'libopus'];
  const { status, stderr } = spawnSync(getFfmpegPath() ?? 'ffmpeg', [...args, '-y', path.join(dir, name)], {
    input: Buffer.from(samples.buffer),
  });
  assert.equal(status, 0, stderr.toString());
}

function open(name: string, { volume = 1, folder = dir as string | null } = {}) {
  const logged: { sound: string; error: Error }[] = [];
  const warn = (about: object) => void logged.push(about as (typeof logged)[number]);
  return { ...createClips(folder, { warn })({ name, volume }, RATE), logged };
}

/** The samples of so many frames. */
async function take(frames: AsyncIterator<AudioFrame>, count: number): Promise<Int16Array> {
  const parts: Int16Array[] = [];
  for (let frame = 0; frame < count; frame++) parts.push((await frames.next()).value.data);
  return Int16Array.from(parts.flatMap((part) => [...part]));
}

test('what comes with the library is played again and again, each sound as loud as it should be', async () => {
  for (const [name, least, most] of [
    ['office', 150, 600],
    ['keyboard', 60, 600],
    ['music', 200, 4_000],
  ] as const) {
    const { loaded, play, logged } = open(name, { folder: null });
    assert.equal(await loaded, true, name);
    // A minute: longer than any of them.
    const loudness = loudnessOf((await take(play(), 600)).subarray(-10 * RATE));
    assert.ok(loudness >= least && loudness <= most, `${name}: ${loudness}`);
    assert.deepEqual(logged, []);
  }
});

test('files of the operator are as loud as they are, at any rate, or as they are said to be', async () => {
  const loud = (samples: number) => tone(440, samples).map((one) => 2 * one);
  await save('tone.wav', loud(RATE));
  await save('tone-16.wav', loud(16_000), 16_000);
  await save('tone.ogg', loud(RATE));
  for (const name of ['tone.wav', 'tone-16.wav', 'tone.ogg'])
    for (const volume of [1, 0.5, 4]) {
      const { loaded, play } = open(`file:${name}`, { volume });
      assert.equal(await loaded, true, name);
      const samples = (await take(play(), 9)).subarray(RATE / 4);
      // At four times its loudness a tone is cut off, and does not wrap around.
      const expected = volume === 4 ? 28_900 : volume * loudnessOf(loud(RATE));
      assert.ok(Math.abs(loudnessOf(samples) / expected - 1) < 0.1, `${name} ${volume}: ${loudnessOf(samples)}`);
    }
});

test('each time it is played a sound begins anew, and is silent until it is there', async () => {
  const samples = tone(440, RATE);
  samples.fill(0, RATE / 2);
  await save('half.wav', samples);
  const { loaded, play } = open('file:half.wav');
  const early = play();
  assert.equal(loudnessOf(await take(early, 1)), 0);
  await loaded;
  for (const frames of [play(), play()]) {
    assert.ok(loudnessOf(await take(frames, 4)) > 1_000);
    await take(frames, 1);
    assert.equal(loudnessOf(await take(frames, 4)), 0);
  }
  // It has begun with the next frame.
  assert.ok(loudnessOf(await take(early, 3)) > 1_000);
});

test('of a long file three minutes are played', async () => {
  const rate = 8_000;
  const samples = new Int16Array(190 * rate);
  samples.fill(8_000, 181 * rate);
  await save('long.wav', samples, rate);
  const { loaded, play } = open('file:long.wav');
  await loaded;
  const frames = play();
  for (let frame = 0; frame < 2_000; frame++) {
    const { value } = await frames.next();
    assert.ok(loudnessOf(value.data) < 50, `frame ${frame}`);
  }
});

test('a sound that cannot be played is logged with the reason, and silent', async () => {
  await writeFile(path.join(dir, 'text.ogg'), 'This is no sound.');
  await writeFile(path.join(dir, 'empty.ogg'), '');
  await save('nothing.wav', new Int16Array());
  for (const [name, reason] of [
    ['file:none.ogg', /No such file/],
    ['file:text.ogg', /Error opening input/],
    ['file:empty.ogg', /Error opening input/],
    ['file:nothing.wav', /it has no sound/],
    ['jazz', /no sound has this name/],
    ['file:../secret.ogg', /no sound has this name/],
    ['file:', /no sound has this name/],
  ] as const) {
    const { loaded, play, logged } = open(name);
    assert.equal(await loaded, false, name);
    assert.equal(loudnessOf(await take(play(), 3)), 0);
    assert.deepEqual(
      logged.map(({ sound }) => sound),
      [name],
    );
    assert.match(String(logged[0]?.error), reason, name);
  }
  const { loaded, logged } = open('file:tone.wav', { folder: null });
  assert.equal(await loaded, false);
  assert.match(String(logged[0]?.error), /SOUNDS_DIR is not set/);
});
