/** Limits of latencies and costs where no model has answered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAll } from '../src/expect.ts';
import { readScenario } from '../src/read.ts';
import { createRulesAgent } from '../src/rules-agent.ts';
import { runScenario } from '../src/run.ts';

const LIMITED = `scenario: refuses
line: { answered_by: human }
caller: { script: [{ say: "Hello?" }, { say: "Stop calling me!" }] }
expect:
  - { latency: { first_word_p95_ms: 100, first_audio_p95_ms: 900 } }
  - { cost: { max: "0.1" } }`;

test('limits are not checked if no model was asked, by rules or because the service has answered itself', async () => {
  const compliance = { opt_out: { enabled: true } };
  const voicemail = { action: 'hang_up' };
  const { scenario } = readScenario(LIMITED);
  assert.ok(scenario);
  const config = { greeting: 'Hello.', compliance, voicemail };
  const { checks } = await runScenario(scenario, (around) => createRulesAgent(config, {}, around));
  assert.deepEqual(
    checks.map(({ outcome, found }) => [outcome, found]),
    [
      ['not_checked', 'no model has answered'],
      ['undecided', 'not measured in this run'],
      ['not_checked', 'rules ask no model'],
    ],
  );
});

test('the time of words that no model has chosen does not count, nor do rules keep sounds from being measured', async () => {
  const turn = { at_ms: 0, interrupted: false, calls: [], words: 'Hello.' };
  const of = (model: string, first_word_ms: number, first_audio_ms: number) => {
    const decisions = [{ model, words: '', calls: [], ms: 0 }];
    return { ...turn, heard: 'Hello?', decisions, first_word_ms, first_audio_ms };
  };
  const trace = { end_reason: 'script_over' as const, error: null, world: {}, cost: '0', duration_ms: 0 };
  const { scenario } = readScenario(LIMITED);
  const outcomes = async (...turns: ReturnType<typeof of>[]) => {
    const checks = await checkAll(scenario?.expect.slice(0, 1) ?? [], { ...trace, turns }, null);
    return checks.map(({ outcome }) => outcome);
  };
  const phrases = Array.from({ length: 40 }, () => of('opt-out phrases', 0, 800));
  assert.deepEqual(await outcomes(of('openai/m', 200, 800), ...phrases), ['failed', 'passed']);
  assert.deepEqual(await outcomes(of('local/rules', 0, 1_000)), ['not_checked', 'failed']);
});
