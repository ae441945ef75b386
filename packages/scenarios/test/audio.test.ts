import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Surroundings } from '../src/agent.ts';
import { MAX_WRONG_PERCENT, wrongPercent } from '../src/heard.ts';
import { readScenario } from '../src/read.ts';
import { createRulesAgent } from '../src/rules-agent.ts';
import { type HeldCall, runScenario } from '../src/run.ts';
import type { Scenario } from '../src/schema.ts';
import type { TraceTurn } from '../src/trace.ts';

const SCENARIO = `scenario: by voice
mode: audio
clock: 2026-06-12T09:00:00+02:00
caller: { script: [{ say: "A table for two" }] }
world: { tables: 1 }
tools: { book: { patch: [{ op: replace, path: /tables, value: 0 }] } }
expect:
  - { tool: book, times: 1 }
  - { world: { tables: 0 } }
  - { latency: { first_audio_p95_ms: 900 } }
`;
const turn = (more: Partial<TraceTurn>): TraceTurn => ({
  at_ms: 0,
  heard: 'a table for two',
  interrupted: false,
  words: 'Done.',
  calls: [],
  decisions: [],
  first_word_ms: 10,
  first_audio_ms: 500,
  ...more,
});
const CALL: HeldCall = {
  turns: [],
  end_reason: 'script_over',
  error: null,
  cost: '0',
  duration_ms: 5_000,
  missing: [],
};

/** Runs the scenario; the call goes as told. */
async function run(more: Partial<HeldCall>, at = 0, by: 'call' | 'phone' = 'call') {
  const { scenario } = readScenario(by === 'phone' ? SCENARIO.replace('audio', by) : SCENARIO);
  assert.ok(scenario);
  return runScenario(scenario, (around) => createRulesAgent({}, {}, around), {
    [by]: async (_scenario: Scenario, around: Surroundings) => {
      const call = { name: 'book', arguments: {}, ...around.callTool('book', {}) };
      return { ...CALL, turns: [turn({ at_ms: at, first_audio_ms: 500 + at, calls: [{ ...call, ms: at }] })], ...more };
    },
  });
}

test('a call is checked like a conversation in text, and its hash does not depend on how long it took', async () => {
  const [one, other] = [await run({}), await run({ duration_ms: 6_000 }, 7)];
  assert.deepEqual([one.status, one.checks.map(({ outcome }) => outcome)], ['passed', ['passed', 'passed', 'passed']]);
  assert.equal(one.hash, other.hash);
  const late = await run({ turns: [turn({ first_audio_ms: 901 })] });
  assert.match(late.checks[2]?.found ?? '', /^901 ms until the first sound$/);
  assert.equal(late.status, 'failed');
  const silent = await run({ turns: [turn({ first_audio_ms: null })] });
  assert.equal(silent.checks[2]?.outcome, 'undecided');
});

test('a call by phone is one by voice, and is never held in a room or in text instead', async () => {
  const [room, phone] = [await run({}), await run({}, 0, 'phone')];
  assert.equal(phone.status, 'passed');
  assert.equal(phone.hash, room.hash);
  const { scenario } = readScenario(SCENARIO.replace('audio', 'phone'));
  assert.ok(scenario);
  const never = () => assert.fail('nobody is asked');
  const { status, checks, trace } = await runScenario(scenario, never, { call: never });
  assert.deepEqual([status, checks.length, trace.turns], ['invalid', 1, []]);
  assert.match(checks[0]?.found ?? '', /TEST_PHONE_HOST/);
});

test('a caller who was not heard makes the run invalid, whatever the agent did', async () => {
  const missing = [{ expected: 'the agent hears: A table', outcome: 'undecided' as const, found: 'nothing' }];
  const { status, checks } = await run({ turns: [], missing });
  assert.equal(status, 'invalid');
  assert.deepEqual(checks, missing);
});

test('words count as heard in any spelling, and by the word in languages without spaces', () => {
  assert.equal(wrongPercent('Good-bye at 10, please!', 'goodbye at ten please'), 0);
  assert.equal(wrongPercent('Wann öffnen Sie?', 'wann offnen sie'), 0);
  assert.equal(wrongPercent('the 31st of June', 'the 31st of July'), 25);
  assert.equal(wrongPercent('予約をお願いします', '予約をお願いします。'), 0);
  assert.equal(wrongPercent('That’s right, yes', "That's right. Yeah"), 0);
  assert.equal(wrongPercent('OK', 'Okay.'), 0);
  assert.equal(wrongPercent('Twenty five of them', '25 of them'), 0);
  assert.equal(wrongPercent('At ten thirty', 'at 10:30'), 0);
  assert.equal(wrongPercent('My number is five five five zero one nine nine', 'My number is 555-0199.'), 0);
  assert.equal(wrongPercent('My number is 5550199', 'my number is five five five zero one nine nine'), 0);
  assert.equal(wrongPercent('When do you open?', ''), 100);
  assert.ok(wrongPercent('When do you open on Sunday?', 'when do you hope on a Sunday') <= MAX_WRONG_PERCENT);
  assert.ok(wrongPercent('When do you open on Sunday?', 'one of you') > MAX_WRONG_PERCENT);
});

test('a line that a mode cannot have is a mistake with its place', () => {
  const found = (line: string, mode = 'mode: audio') =>
    readScenario(SCENARIO.replace('mode: audio', mode).replace('world:', `line: ${line}\nworld:`)).problems;
  assert.deepEqual(
    found('{ loss: 2, answered_by: fax }').map(({ line, path }) => [line, path]),
    [[5, '/line/answered_by']],
  );
  assert.deepEqual(found('{ loss: 2.5 }'), []);
  assert.deepEqual(
    found('{ ring_ms: 60001, answered_by: fax }', 'mode: phone').map(({ line, column, path }) => [line, column, path]),
    [
      [5, 9, '/line/ring_ms'],
      [5, 25, '/line/answered_by'],
    ],
  );
  assert.deepEqual(found('{ ring_ms: 60000, loss: 2.5, noise: pink@20dB }', 'mode: phone'), []);
  assert.deepEqual(found('{ ring_ms: 60001 }'), []);
  for (const mode of ['mode: text', 'critical: true']) {
    const [problem, ...others] = found('{ loss: 2 }', mode);
    assert.deepEqual([problem?.line, problem?.path, others], [5, '/line/loss', []]);
    assert.match(problem?.message ?? '', /no effect with mode: text.*take mode: audio/);
    assert.deepEqual(found('{ loss: 0 }', mode), []);
  }
  assert.deepEqual(
    found('{ loss: 101 }').map(({ path }) => path),
    ['/line/loss'],
  );
  const noise = readScenario(SCENARIO.replace('world:', 'line: { noise: loud }\nworld:'));
  assert.deepEqual(
    noise.problems.map(({ path }) => path),
    ['/line/noise'],
  );
  assert.deepEqual(readScenario(SCENARIO.replace('world:', 'line: { noise: street@15dB }\nworld:')).problems, []);
});
