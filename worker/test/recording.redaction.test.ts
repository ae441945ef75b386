// The recording of an agent that redacts: what was said is in the audio only once its line is known, and secrets are
// silent on the side that said them. The encoder is the real one; the clock is the test's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SegmentCreate } from '@switchboard/client';
import { startEncoder } from '../recording/encoder.ts';
import { createLevels } from '../recording/levels.ts';
import { RATE, samplesIn } from '../recording/mixer.ts';
import { createSegments } from '../recording/segments.ts';
import type { TimedWord } from '../recording/timed-words.ts';
import { type Act, delayed, isLoud, isSilent, leftAt } from './delayed.ts';
import { decode, split } from './samples.ts';

const CARD = 'My card is 4242 4242 4242 4242 thanks.';
const [FROM, TO] = [CARD.indexOf('4242'), CARD.indexOf(' thanks')];
const SECRET = { from: FROM, to: TO };

/** A sentence of the caller from 5 s to 9 s, of which the line comes at 11 s. */
const said = (text: string, secrets: { from: number; to: number }[], words: TimedWord[] = []) =>
  [
    [5_100, (one) => one.speaks('others', true)],
    [9_300, (one) => one.speaks('others', false)],
    [10_000, (one) => one.recognized({ text, until: 9_000, words })],
    [11_000, (one) => one.onTranscript('others', text, secrets)],
  ] as const satisfies (readonly [number, Act])[];

test('in quiet, sound leaves two seconds later; speech stays until its line is there, and then leaves as it was', () => {
  const { left, samples, redactedIn } = delayed(said('Hello there.', []), 20_000);
  assert.ok(leftAt(left, 5_000) >= 2_600, `${leftAt(left, 5_000)}`);
  for (const ms of [8_000, 11_000, 12_900]) assert.ok(leftAt(left, ms) <= 4_100, `${ms}: ${leftAt(left, ms)}`);
  assert.ok(leftAt(left, 13_500) >= 11_000, `${leftAt(left, 13_500)}`);
  const [agent, others] = split(samples);
  assert.equal(agent.length, 20 * RATE);
  assert.ok(isLoud(agent, 0, 20_000) && isLoud(others, 0, 20_000));
  assert.deepEqual(redactedIn(0, 20_000), []);
});

test('a line with a secret is silent as a whole, on the side that said it, if nobody knows when words were said', () => {
  const { samples, redactedIn } = delayed(said(CARD, [SECRET]), 20_000);
  const [agent, others] = split(samples);
  assert.ok(isLoud(agent, 0, 20_000));
  assert.ok(isSilent(others, 4_100, 9_800));
  assert.ok(isLoud(others, 0, 4_000) && isLoud(others, 9_900, 20_000));
  assert.deepEqual(redactedIn(0, 20_000), [{ from_ms: 4_100, to_ms: 9_800 }]);
});

/** Words of half a second each, from 5 s on. */
const timed = (shift = 0): TimedWord[] =>
  CARD.split(' ').map((text, index) => ({ text, from: shift + 5_000 + index * 500, to: shift + 5_450 + index * 500 }));

test('with the times of words, only the secret is silent, with a margin', () => {
  const { samples } = delayed(said(CARD, [SECRET], timed()), 20_000);
  const [, others] = split(samples);
  // The digits are the fourth to the seventh of eight words.
  assert.ok(isSilent(others, 5_950, 9_000));
  assert.ok(isLoud(others, 4_000, 5_850) && isLoud(others, 9_100, 9_800));
});

test('times of words that do not agree with the detector of speech are not believed', () => {
  for (const shift of [-2_000, 2_000]) {
    const [, others] = split(delayed(said(CARD, [SECRET], timed(shift)), 20_000).samples);
    assert.ok(isSilent(others, 4_100, 9_800), `${shift}`);
  }
  const some = timed().filter(({ text }) => text !== '4242');
  assert.ok(isSilent(split(delayed(said(CARD, [SECRET], some), 20_000).samples)[1], 4_100, 9_800));
});

test('what the agent repeats is silent on its side; in mono both are', () => {
  const repeats = [
    [5_000, (one) => one.speaks('agent', true)],
    [8_000, (one) => one.onTranscript('agent', CARD, [SECRET])],
    [8_020, (one) => one.speaks('agent', false)],
  ] as const satisfies (readonly [number, Act])[];
  const [agent, others] = split(delayed(repeats, 15_000).samples);
  assert.ok(isSilent(agent, 4_000, 8_500) && isLoud(agent, 8_600, 15_000) && isLoud(others, 0, 15_000));
  const mono = delayed(repeats, 15_000, 'mono').samples;
  assert.ok(isSilent(mono, 4_000, 8_500) && isLoud(mono, 8_600, 15_000));
});

test('two sentences that are recognized late are each cleared by their own line', () => {
  const second: (readonly [number, Act])[] = [
    [9_800, (one) => one.speaks('others', true)],
    [10_800, (one) => one.speaks('others', false)],
    // After the line with the first one.
    [14_000, (one) => one.recognized({ text: '4242', until: 10_500, words: [] })],
    [14_500, (one) => one.onTranscript('others', '4242', [{ from: 0, to: 4 }])],
  ];
  const { samples, left } = delayed([...said('My card is', []), ...second], 20_000);
  assert.ok(leftAt(left, 14_400) <= 8_800, 'the second one waits');
  const [, others] = split(samples);
  assert.ok(isLoud(others, 0, 8_700) && isSilent(others, 8_800, 11_300) && isLoud(others, 11_400, 20_000));
});

test('speech that has no line in ten seconds, is too long, or is cut off at the end, is silent', () => {
  const begins: Act = (one) => one.speaks('others', true);
  const ends: Act = (one) => one.speaks('others', false);
  const unrecognized = delayed(
    [
      [5_000, begins],
      [6_000, ends],
    ],
    25_000,
  );
  const [agent, others] = split(unrecognized.samples);
  assert.ok(isSilent(others, 4_000, 6_500) && isLoud(others, 6_600, 25_000) && isLoud(agent, 0, 25_000));
  assert.ok(leftAt(unrecognized.left, 17_000) > 14_000, 'it is waited for ten seconds');

  const long = delayed([[5_000, begins]], 100_000);
  const waiting = long.left.map((ms, index) => (index + 1) * 100 - ms);
  assert.ok(Math.max(...waiting) < 90_500, 'memory is bounded');
  assert.ok(isSilent(split(long.samples)[1], 4_000, 100_000));

  const cut = split(delayed([[5_000, begins]], 7_000).samples)[1];
  assert.ok(isLoud(cut, 0, 4_000) && isSilent(cut, 4_000, 7_000));
  // The library reports the last words as the call ends.
  const last: Act = (one) => {
    one.recognized({ text: 'Bye.', until: 6_800, words: [] });
    one.onTranscript('others', 'Bye.', []);
  };
  assert.ok(
    isLoud(
      split(
        delayed(
          [
            [5_000, begins],
            [6_900, ends],
            [7_000, last],
          ],
          7_000,
        ).samples,
      )[1],
      0,
      7_000,
    ),
  );
});

test('a secret in a line that nobody heard coming silences everything of that side that is still here', () => {
  const { samples } = delayed([[10_000, (one) => one.onTranscript('others', '4242', [{ from: 0, to: 4 }])]], 15_000);
  const [agent, others] = split(samples);
  assert.ok(isSilent(others, 8_100, 10_500) && isLoud(others, 10_600, 15_000) && isLoud(agent, 0, 15_000));
});

test('what is encoded has no secret, and says where: audio, loudness and gaps', async () => {
  const { out, redactedIn } = delayed(said(CARD, [SECRET]), 20_000);
  const written: SegmentCreate[] = [];
  const levels = createLevels('stereo');
  const silentIn = (from_ms: number, to_ms: number) =>
    redactedIn(from_ms, to_ms).map((part) => ({ ...part, why: 'redacted' as const }));
  const onLost = (error: unknown) => assert.fail(String(error));
  const segments = createSegments(async (one) => void written.push(one), onLost, levels, silentIn, 1_500);
  const encoder = startEncoder('stereo', segments.add, (error) => assert.fail(error));
  for (const samples of out) {
    levels.add(samples);
    encoder.write(samples);
  }
  while ((written.at(-1)?.to_ms ?? 0) < 18_000) await sleep(20);
  await encoder.end();
  await segments.end();
  const [agent, others] = split(decode(Buffer.concat(written.map(({ audio }) => Buffer.from(audio, 'base64')))));
  assert.ok(isLoud(agent, 4_200, 9_700));
  const loudest = others
    .subarray(samplesIn(4_200), samplesIn(9_700))
    .reduce((max, one) => Math.max(max, Math.abs(one)), 0);
  // Opus codes both sides together, so that the other one is faintly there.
  assert.ok(loudest < 400, `${loudest}`);
  assert.ok(written.every(({ from_ms, to_ms }) => to_ms - from_ms < 2_000));
  const said_ms = written.flatMap(({ pauses = [] }) => pauses).reduce((sum, one) => sum + one.to_ms - one.from_ms, 0);
  assert.equal(said_ms, 5_700);
  for (const { from_ms, levels = '' } of written) {
    const ofOthers = [...Buffer.from(levels, 'base64')].filter((_, index) => index % 2 === 1);
    for (const [index, level] of ofOthers.entries()) {
      const at = Math.floor(from_ms / 100) * 100 + index * 100;
      assert.equal(level === 0, at >= 4_100 && at < 9_800, `${at}: ${level}`);
    }
  }
});
