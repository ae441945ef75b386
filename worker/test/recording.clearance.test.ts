// Which sound of an agent that redacts may leave, where speech, words and lines come in the orders that calls have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Act, delayed, isLoud, isSilent } from './delayed.ts';
import { split } from './samples.ts';

type Acts = (readonly [ms: number, act: Act])[];

const speaks = (from: number, to: number, side: 'agent' | 'others' = 'others'): Acts => [
  [from, (one) => one.speaks(side, true)],
  [to, (one) => one.speaks(side, false)],
];
const recognized = (at: number, text: string, until: number): Acts => [
  [at, (one) => one.recognized({ text, until, words: [] })],
];
const told = (at: number, text: string, isSecret = false): Acts => [
  [at, (one) => one.onTranscript('others', text, isSecret ? [{ from: 0, to: text.length }] : [])],
];

/** The samples of both sides. */
const sides = (acts: Acts, until_ms: number) => split(delayed(acts, until_ms).samples);

test('speech that only its words show waits for its line as well, and leaves as it was without a secret', () => {
  const heard: Acts = [6_000, 6_500, 7_000].map((ms) => [ms, (one) => one.heard()] as const);
  const line = (isSecret: boolean): Acts => [
    ...heard,
    ...recognized(8_000, '4242 4242', 7_800),
    ...told(12_000, '4242 4242', isSecret),
  ];
  const [agent, others] = sides(line(true), 20_000);
  assert.ok(isSilent(others, 4_200, 8_300) && isLoud(others, 0, 3_800) && isLoud(others, 8_400, 20_000));
  assert.ok(isLoud(agent, 0, 20_000));
  assert.ok(isLoud(sides(line(false), 20_000)[1], 0, 20_000));
  // Words of which nothing becomes a line.
  assert.ok(isSilent(sides(heard, 20_000)[1], 4_200, 7_500));
});

test('words that come while the detector hears speech are no other speech', () => {
  const heard: Acts = [6_000, 9_000].map((ms) => [ms, (one) => one.heard()] as const);
  const said = [...speaks(5_000, 8_500), ...recognized(9_400, 'Hello there.', 8_500), ...told(9_500, 'Hello there.')];
  const { samples, redactedIn } = delayed([...said, ...heard], 30_000);
  assert.deepEqual(redactedIn(0, 30_000), []);
  assert.ok(isLoud(split(samples)[1], 0, 30_000));
});

test('a story with breaths waits for its line, as long as it goes on or has been recognized', () => {
  const parts = Array.from({ length: 10 }, (_, index) => speaks(5_000 + index * 3_000, 7_500 + index * 3_000)).flat();
  const story = 'It began in spring.';
  const late = [...parts, ...recognized(36_000, story, 34_500), ...told(50_000, story)];
  assert.deepEqual(delayed(late, 60_000).redactedIn(0, 60_000), []);
  // Nothing was recognized: ten seconds after the last of it.
  const { redactedIn } = delayed(parts, 60_000);
  assert.deepEqual(redactedIn(0, 60_000), [{ from_ms: 4_000, to_ms: 35_000 }]);
});

test('the agent is not silenced for a pause in what it says, of which the line comes at the end', () => {
  let close = () => {};
  const acts = (line: Acts): Acts => [
    [
      4_900,
      (one) => {
        close = one.opens();
      },
    ],
    ...speaks(5_000, 8_000, 'agent'),
    ...speaks(9_000, 25_100, 'agent'),
    ...line,
    [25_200, () => close()],
  ];
  const line: Acts = [[25_000, (one) => one.onTranscript('agent', 'Once upon a time.', [])]];
  assert.deepEqual(delayed(acts(line), 40_000).redactedIn(0, 40_000), []);
  assert.deepEqual(delayed(acts([]), 40_000).redactedIn(0, 40_000), [{ from_ms: 4_000, to_ms: 25_600 }]);
});

test('what the agent was paused in and gives up is silent to its line, as a moment more of it may be played', () => {
  const line: Acts = [[8_000, (one) => one.onTranscript('agent', '4242', [{ from: 0, to: 4 }])]];
  const [agent, others] = sides([...speaks(5_000, 6_000, 'agent'), ...line], 20_000);
  assert.ok(isSilent(agent, 4_000, 8_500) && isLoud(agent, 0, 3_900) && isLoud(agent, 8_600, 20_000));
  assert.ok(isLoud(others, 0, 20_000));
});

test('a speech that the agent gives up before its first word is silent, whether its line or a harmless one follows', () => {
  const harmless: Acts = [
    ...speaks(9_000, 10_000, 'agent'),
    [10_000, (one) => one.onTranscript('agent', 'Goodbye.', [])],
  ];
  const givesUp: Acts = [[6_200, (one) => one.givesUp()]];
  const [said, others] = sides([...speaks(5_600, 6_000, 'agent'), ...givesUp, ...harmless], 20_000);
  assert.ok(isSilent(said, 4_600, 6_700) && isLoud(said, 0, 4_500) && isLoud(said, 6_800, 20_000));
  assert.ok(isLoud(others, 0, 20_000));
  // A moment may have been played of one that was not even said to begin.
  const [unsaid] = sides([...givesUp, ...harmless], 20_000);
  assert.ok(isSilent(unsaid, 5_200, 6_700) && isLoud(unsaid, 0, 5_100) && isLoud(unsaid, 6_800, 20_000));
});

test('at the end of a call, words that were said shortly after others are not taken for them', () => {
  // The recognizer says when it heard the end, or does not.
  const known = [
    ...speaks(4_500, 5_000),
    ...speaks(5_100, 5_400),
    ...recognized(5_440, 'OK', 5_000),
    ...told(5_600, 'OK'),
  ];
  assert.ok(isSilent(sides(known, 6_000)[1], 4_100, 5_900));
  const unknown = [
    ...speaks(4_500, 5_000),
    ...speaks(6_000, 6_400),
    ...recognized(6_500, 'OK', 6_500),
    ...told(6_600, 'OK'),
  ];
  assert.ok(isSilent(sides(unknown, 7_000)[1], 5_100, 6_900));
  const before = [
    ...speaks(4_500, 5_000),
    ...recognized(6_500, 'OK', 6_500),
    ...told(6_600, 'OK'),
    ...speaks(6_200, 6_900),
  ];
  assert.ok(isSilent(sides(before, 7_200)[1], 5_300, 7_200));
  const two = [
    ...speaks(4_500, 5_000),
    ...speaks(5_400, 6_000),
    ...recognized(6_300, 'OK bye', 5_900),
    ...told(6_400, 'OK bye'),
  ];
  assert.ok(isLoud(sides(two, 7_000)[1], 0, 7_000), 'words of both');
});

test('words that are in no line do not hide those of the next one', () => {
  const skipped = [...recognized(2_500, 'My', 2_000)];
  const said = [
    ...speaks(5_000, 7_000),
    ...recognized(7_500, 'My card', 7_000),
    ...speaks(7_600, 8_200),
    ...recognized(8_900, 'is lost.', 8_100),
    // Words of the next turn.
    ...recognized(9_000, 'lost.', 8_950),
    ...told(9_200, 'My card is lost.'),
    ...told(11_000, 'lost.'),
  ];
  assert.deepEqual(delayed([...skipped, ...said], 30_000).redactedIn(3_000, 30_000), []);
});
