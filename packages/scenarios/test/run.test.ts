import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { TestedAgent } from '../src/agent.ts';
import { readScenario } from '../src/read.ts';
import { summarize, toJUnit, toMarkdown } from '../src/report.ts';
import { createRulesAgent, type RulesConfig } from '../src/rules-agent.ts';
import { runScenario } from '../src/run.ts';

const CONFIG = {
  greeting: 'Hello {{name}}, this is the practice.',
  instructions: 'The practice opens at nine. A first appointment takes half an hour.',
  tools: {
    hang_up: true,
    transfer: { destinations: [{ name: 'colleague' }] },
    functions: [
      {
        name: 'book_appointment',
        description: 'Books an appointment on a day.',
        parameters: { properties: { day: { type: 'string' } }, required: ['day'] },
      },
    ],
  },
};

async function run(text: string, config: RulesConfig = CONFIG) {
  const { scenario, problems } = readScenario(text);
  assert.deepEqual(problems, []);
  assert.ok(scenario);
  return runScenario(scenario, (around) => createRulesAgent(config, scenario.variables ?? {}, around));
}

/** A scenario with these expectations. */
const booking = (expect: string, tools = '', say = 'book an appointment on Friday') => `scenario: booking
variables: { name: Ada }
clock: 2026-06-12T09:00:00+02:00
caller:
  script: [{ say: "When does the practice open?" }, { say: "${say}" }, { say: "Goodbye" }]
world: { bookings: [] }
tools: { book_appointment: ${tools || '{ patch: [{ op: add, path: /bookings/-, value: { day: Friday } }], return: { booked: Friday } }'} }
expect:
${expect}`;

const outcomes = async (text: string, config = CONFIG) =>
  (await run(text, config)).checks.map(({ outcome }) => outcome).join();

test('a conversation is held by the script, with tools that change the world, and everything is checked', async () => {
  const result = await run(
    booking(`  - { tool: book_appointment, args: { day: Friday }, times: 1 }
  - { agent_says: "opens at nine" }
  - { agent_never_says: "guarantee" }
  - { world: { bookings: [{ day: Friday }] } }
  - { call: { end_reason: agent_hung_up, transfers: 0, max_turns: 4 } }
  - { timeline: [{ caller_says: open }, { tool: book_appointment }, { agent_says: { pattern: "booked: friday" } }, { tool: hang_up }] }
  - { latency: { first_word_p95_ms: 0 } }
  - { cost: { max: "0" } }`),
  );
  assert.deepEqual(
    result.checks.filter(({ outcome }) => outcome !== 'passed').map(({ outcome, found }) => [outcome, found]),
    [
      ['not_checked', 'rules take no time: 0 ms until the first word by the tools alone'],
      ['not_checked', 'rules ask no model'],
    ],
  );
  assert.equal(result.status, 'passed');
  assert.equal(result.trace.turns[0]?.words, 'Hello Ada, this is the practice.');
  assert.deepEqual(
    result.trace.turns.map(({ heard }) => heard),
    [null, 'When does the practice open?', 'book an appointment on Friday', 'Goodbye'],
  );
});

test('each expectation fails for an agent that does otherwise, and says what was found', async () => {
  const wrong: [string, RegExp][] = [
    ['{ tool: book_appointment, args: { day: Monday } }', /0 of 1 calls: \{"day":"Friday"\}/],
    ['{ tool: book_appointment, times: 2 }', /1 of 1/],
    ['{ tool: send_dtmf }', /not called/],
    ['{ agent_says: "opens at eight" }', /not said/],
    ['{ agent_never_says: "OPENS at  nine" }', /said: .*nine/],
    ['{ world: { bookings: [] } }', /Friday/],
    ['{ call: { end_reason: caller_hung_up } }', /agent_hung_up/],
    ['{ call: { transfers: 1 } }', /0 transfers/],
    ['{ timeline: [{ tool: hang_up }, { tool: book_appointment }] }', /not reached: \{"tool":"book_appointment"\}/],
  ];
  for (const [expectation, found] of wrong) {
    const { status, checks } = await run(booking(`  - ${expectation}`));
    assert.equal(status, 'failed', expectation);
    assert.match(checks[0]?.found ?? '', found);
  }
});

test('tools fail in every way that tools do, and the agent hears of it', async () => {
  const sorry = `  - { agent_says: "did not work" }\n  - { world: { bookings: [] } }`;
  for (const tools of [
    '{ status: 500 }',
    '{ time_out: true }',
    '{ when: { day: Monday }, return: { ok: true } }',
    '{ when: { day: Monday }, return: { ok: true }, else: { status: 404, after_ms: 3000 } }',
    '[{ on_call: 2, return: { ok: true } }, { status: 503 }]',
    '{ patch: [{ op: remove, path: /nothing }] }',
  ])
    assert.equal(await outcomes(booking(sorry, tools)), 'passed,passed', tools);
  const broken = booking(`  - { agent_says: "did not work" }\n  - { agent_never_says: "{half" }`, `{ text: '{half' }`);
  assert.equal(await outcomes(broken), 'passed,passed');
});

test('an answer of another shape reaches the agent as it is, and is no failure of the tool', async () => {
  for (const [tools, text, words] of [
    ['{ return: [17, null] }', '[17,null]', '17'],
    ['{ return: null }', 'null', 'done'],
    ['{ return: Friday }', '"Friday"', 'Friday'],
    ['{ return: { booked: { day: [5] } }, status: 201 }', '{"booked":{"day":[5]}}', 'booked: day: 5'],
  ] as const) {
    const expect = `  - { timeline: [{ tool: book_appointment }, { agent_says: "${words}" }, { caller_says: Goodbye }] }`;
    const { trace, status } = await run(booking(expect, tools));
    const calls = trace.turns.flatMap((turn) => turn.calls).filter(({ name }) => name === 'book_appointment');
    assert.deepEqual([calls.map((call) => [call.text, call.isError]), status], [[[text, false]], 'passed'], tools);
  }
});

test('slow tools and callers move the virtual clock, and nobody waits for them', async () => {
  const slow = booking('  - { latency: { first_word_p95_ms: 1000 } }', '{ after_ms: 9000, return: { ok: true } }');
  const { trace, checks } = await run(slow.replace('{ say: "Goodbye" }', '{ after_ms: 3000000, say: "Goodbye" }'));
  assert.equal(trace.duration_ms, 3_009_000);
  assert.equal(checks[0]?.outcome, 'failed');
});

test('a function is given up after its own time, and what it has done by then stays done', async () => {
  const [book] = CONFIG.tools.functions;
  const config = { ...CONFIG, tools: { ...CONFIG.tools, functions: [{ ...book, timeout_s: 3 }] } };
  const late = '{ after_ms: 4000, patch: [{ op: add, path: /bookings/-, value: late }], return: { ok: true } }';
  const expected = '  - { agent_says: "did not work" }\n  - { world: { bookings: [late] } }';
  const { status, trace } = await run(booking(expected, late), config);
  assert.deepEqual([status, trace.duration_ms], ['passed', 3000]);
  const never = await run(booking('  - { world: { bookings: [] } }', '{ time_out: true }'), config);
  assert.deepEqual([never.status, never.trace.duration_ms], ['passed', 3000]);
});

const silent = (script: string) => `scenario: silence
caller: { script: [${script}] }
expect: [{ call: { transfers: 0 } }]`;

test('a silent caller is prompted as the worker does it, and then the agent hangs up', async () => {
  const config = { ...CONFIG, greeting: 'Yes?', silence: { timeout_s: 10, message: 'Still there?', max_prompts: 2 } };
  const said = async (script: string) => {
    const { trace } = await run(silent(script), config);
    return [...trace.turns.map(({ at_ms, words }) => `${at_ms} ${words}`), trace.end_reason];
  };
  assert.deepEqual(await said('{ after_ms: 60000, hang_up: true }'), [
    '0 Yes?',
    '10000 Still there?',
    '20000 Still there?',
    '30000 ',
    'agent_hung_up',
  ]);
  assert.deepEqual(await said('{ after_ms: 10000, say: "Goodbye." }'), [
    '0 Yes?',
    '10000 Thank you for calling. Goodbye.',
    'agent_hung_up',
  ]);
  // Words begin the count of prompts anew, and a caller who interrupts was not silent.
  const twice = await said('{ after_ms: 29000, say: "What?" }, { after_ms: 29000, say: "What?" }');
  assert.equal(twice.filter((one) => one.endsWith('Still there?')).length, 4);
  const listening = await said('{ after_ms: 50000, interrupt: "What?" }');
  assert.deepEqual(listening.at(-1), 'script_over');
  assert.equal(listening.filter((one) => one.endsWith('Still there?')).length, 0);
});

test('the first words tell an agent with voicemail detection who has answered', async () => {
  const config = { ...CONFIG, voicemail: { action: 'leave_message', message: 'Call us back, {{name}}.' } };
  const answered = async (words: string, voicemail = config.voicemail) => {
    const text = `variables: { name: Ada }\n${silent(`{ say: "${words}" }`)}`;
    const { trace } = await run(text, { ...CONFIG, voicemail });
    return [trace.turns.map((turn) => turn.words).join(), trace.end_reason];
  };
  const machine = 'Please leave a message after the tone.';
  const greeted = ['Hello Ada, this is the practice.', 'script_over'];
  assert.deepEqual(await answered('Hello?'), greeted);
  assert.deepEqual(await answered(machine), ['Call us back, Ada.', 'agent_hung_up']);
  assert.deepEqual(await answered('The mailbox is full.'), ['', 'agent_hung_up']);
  assert.deepEqual(await answered(machine, { action: 'hang_up', message: 'x' }), ['', 'agent_hung_up']);
  assert.deepEqual(await answered(machine, { action: 'continue', message: 'x' }), greeted);
});

test('a run about which nothing can be said is invalid, neither passed nor failed', async () => {
  for (const expectation of ['{ judge: "is polite", votes: 3 }', '{ latency: { first_audio_p95_ms: 900 } }']) {
    const { status, checks } = await run(booking(`  - ${expectation}`));
    assert.deepEqual([status, checks[0]?.outcome], ['invalid', 'undecided']);
  }
});

test('what rules cannot tell is not checked, which decides nothing, and a run of which nothing else is expected is invalid', async () => {
  const costs = '  - { cost: { max: "0.1" } }';
  const { status, checks } = await run(booking(costs));
  assert.deepEqual([status, checks[0]?.outcome], ['invalid', 'not_checked']);
  assert.equal((await run(booking(`${costs}\n  - { agent_says: "nine" }`))).status, 'passed');
  const failed = await run(booking(`${costs}\n  - { agent_says: "noon" }`));
  assert.equal(failed.status, 'failed');
  const subject = { name: 'x', file: 'x.yaml', critical: false, base: null };
  const passed = summarize(subject, [await run(booking(`${costs}\n  - { agent_says: "nine" }`))]);
  assert.match(toMarkdown([passed]), /\* x: not checked: costs at most 0\.1 \(rules ask no model\)/);
  assert.match(toJUnit([passed]), /<system-out>not checked: costs at most 0\.1 \(rules ask no model\)<\/system-out>/);
  // The agent's own model has a price, and takes its time.
  const { scenario } = readScenario(
    booking('  - { latency: { first_word_p95_ms: 10 } }\n  - { cost: { max: "0.1" } }'),
  );
  assert.ok(scenario);
  const decisions = [{ model: 'openai/m', words: 'At nine.', calls: [], ms: 20 }];
  const answer = async () => ({ words: 'At nine.', calls: [], decisions, first_word_ms: 20, ends: null });
  const agent: TestedAgent = { open: async () => null, hear: answer, press: answer, cost: () => '0.05' };
  assert.deepEqual(
    (await runScenario(scenario, () => agent)).checks.map(({ outcome, found }) => [outcome, found]),
    [
      ['failed', '20 ms until the first word'],
      ['passed', '0.05'],
    ],
  );
});

test('a run by audio, by phone or with a persona is invalid, whatever its expectations say', async () => {
  const passing = booking('  - { call: { transfers: 0 } }');
  const persona = passing.replace(/ {2}script: .*/, '  persona: { goal: "book an appointment" }');
  for (const text of [`mode: audio\n${passing}`, `mode: phone\n${passing}`, persona]) {
    const { status, checks } = await run(text);
    assert.deepEqual([status, checks[0]?.outcome], ['invalid', 'undecided']);
  }
  assert.equal((await run(passing)).status, 'passed');
});

test('a judge decides by the majority of its votes', async () => {
  const { scenario } = readScenario(booking('  - { judge: "is polite", votes: 3 }'));
  assert.ok(scenario);
  const answers = [true, false, true, false, false, true];
  const judged = () =>
    runScenario(scenario, (around) => createRulesAgent(CONFIG, {}, around), {
      judge: async () => ({ holds: answers.shift() ?? false, reason: 'so it is' }),
    });
  assert.equal((await judged()).status, 'passed');
  assert.equal((await judged()).status, 'failed');
});

test('an agent that fails ends the conversation, not the run', async () => {
  const { scenario } = readScenario(booking('  - { agent_says: hello }'));
  assert.ok(scenario);
  const { status, trace } = await runScenario(scenario, () => ({
    open: async () => null,
    hear: () => Promise.reject(new Error('no model')),
    press: () => Promise.reject(new Error('no model')),
    cost: () => '0',
  }));
  assert.deepEqual([status, trace.end_reason, trace.error], ['failed', 'failed', 'no model']);
});

test('the same conversation has the same hash in every time zone, and another one has another', async () => {
  const text = booking('  - { agent_says: "It is" }', '', 'What time is it, and which day is it?');
  const program = `
    import { runScenario } from '../src/run.ts';
    import { readScenario } from '../src/read.ts';
    import { createRulesAgent } from '../src/rules-agent.ts';
    const { scenario } = readScenario(process.argv[1]);
    const config = ${JSON.stringify(CONFIG)};
    console.log((await runScenario(scenario, (around) => createRulesAgent(config, {}, around))).hash);`;
  const hashIn = (TZ: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', program, text], {
      env: { TZ },
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
  assert.equal(hashIn('Pacific/Kiritimati'), hashIn('America/Los_Angeles'));
  const { scenario } = readScenario(text);
  assert.ok(scenario);
  const other = await runScenario(scenario, (around) => createRulesAgent({ ...CONFIG, greeting: 'Yes?' }, {}, around));
  assert.notEqual(`${other.hash}\n`, hashIn('UTC'));
});

test('a thousand runs of one scenario are the same', async () => {
  const text = booking('  - { tool: book_appointment }');
  const hashes = new Set<string>();
  for (let at = 0; at < 1000; at++) hashes.add((await run(text)).hash);
  assert.equal(hashes.size, 1);
});
