import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readScenario } from '../src/read.ts';
import { MAX_SCENARIO_LENGTH } from '../src/schema.ts';
import { formatScenario } from '../src/write.ts';

const GOOD = `scenario: reschedule with a date that does not exist
agent: { key: front-desk, version: draft }
mode: text
clock: 2026-06-12T09:00:00+02:00
caller:
  script: [{ say: "I need to move my appointment" }, { say: "the 31st of June" }, { after_ms: 400, interrupt: "no, sorry, July" }, { dtmf: "1#" }, { hang_up: true }]
world: { bookings: [] } # nobody has booked
tools:
  book: { when: { day: "2026-07-31" }, patch: [{ op: add, path: /bookings/-, value: { day: "2026-07-31" } }], return: { ok: true }, else: { status: 500, after_ms: 3000 } }
expect:
  - { tool: book, args: { day: "2026-07-31" }, times: 1 }
  - { agent_never_says: "guarantee" }
  - { world: { bookings: [{ day: "2026-07-31" }] } }
  - { call: { end_reason: caller_hung_up, transfers: 0 } }
  - { latency: { first_audio_p95_ms: 900 } }
  - { cost: { max: "0.04" } }
  - { judge: "explains that June has 30 days", votes: 3 }
runs: 5
`;

const problemsOf = (text: string) =>
  readScenario(text).problems.map(({ line, column, path, message }) => `${line}:${column} ${path} ${message}`);

test('a scenario in YAML is read as it stands, and the same in JSON', () => {
  const { scenario, problems } = readScenario(GOOD);
  assert.deepEqual(problems, []);
  assert.equal(scenario?.caller.script?.length, 5);
  assert.equal(scenario?.clock, '2026-06-12T09:00:00+02:00');
  assert.deepEqual(readScenario(JSON.stringify(scenario)).scenario, scenario);
});

test('every mistake is told at once, with its line and column', () => {
  const text = `scenario: two many
modus: text
caller:
  script:
    - { say: hello, dtmf: "1" }
    - { hang_up: true }
    - { say: late }
tools:
  book: { status: 5000 }
expect:
  - { tool: book, args: {}, times: -1 }
  - { times: 2, agent_says: x }
`;
  assert.deepEqual(problemsOf(text), [
    '2:1 /modus is unknown',
    '5:7 /caller/script/0 has say and dtmf: take one',
    '7:7 /caller/script/2 comes after the caller has hung up',
    '9:11 /tools/book/status must be <= 599',
    '11:29 /expect/0/times must be >= 0',
    '12:7 /expect/1/times goes with tool only',
  ]);
  const formed = text.replace('modus', 'mode').replace('5000', '500').replace('-1', '1');
  assert.equal(problemsOf(formed).length, 3);
});

test('a field that stands twice hides no other mistake, and neither does a part that is no object', () => {
  assert.deepEqual(
    problemsOf(`scenario: twice
scenario: again
caller: { script: [5, { say: a, interrupt: b }] }
expect:
  - { timeline: [{ tool: a }, { agent_says: { pattern: "(" } }, { tool: b, caller_says: c }], times: x }
  - never
`).map((problem) => problem.replace(/error parsing regexp.*/, '…')),
    [
      '2:1  Map keys must be unique',
      '3:20 /caller/script/0 must be object',
      '3:23 /caller/script/1 has say and interrupt: take one',
      '5:47 /expect/0/timeline/1/agent_says/pattern …',
      '5:65 /expect/0/timeline/2 has tool and caller_says: take one',
      '5:95 /expect/0/times must be integer',
      '5:95 /expect/0/times goes with tool only',
      '6:5 /expect/1 must be object',
    ],
  );
});

test('of a value that may have several forms, the mistake of the form that it has is told', () => {
  const told = (expect: string) => problemsOf(`scenario: forms\ncaller: { script: [{ say: a }] }\nexpect: [${expect}]`);
  assert.deepEqual(told('{ agent_says: "" }'), ['3:12 /expect/0/agent_says must not have fewer than 1 characters']);
  assert.deepEqual(told('{ agent_says: { patern: x } }'), [
    '3:12 /expect/0/agent_says has no "pattern"',
    '3:26 /expect/0/agent_says/patern is unknown',
  ]);
  assert.deepEqual(told('{ agent_says: 5 }'), [
    '3:12 /expect/0/agent_says has none of the forms that are possible here',
  ]);
});

test('text that is no YAML, or grows by aliases, is refused with the place', () => {
  assert.match(String(problemsOf('scenario: [a\ncaller: {')), /^\d+:\d+ /);
  assert.match(String(problemsOf('a: 1\na: 2')), /2:1 .*unique/);
  const aliases = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
  for (let depth = 0; depth < 9; depth++) {
    const name = String.fromCharCode(98 + depth);
    const before = String.fromCharCode(97 + depth);
    aliases.push(`${name}: &${name} [${Array(10).fill(`*${before}`).join(', ')}]`);
  }
  assert.match(String(problemsOf(aliases.join('\n'))), /alias/i);
  assert.match(String(problemsOf('x'.repeat(MAX_SCENARIO_LENGTH + 1))), /longer/);
});

test('a pattern that is none is told, and one that would take forever is searched in linear time', () => {
  const of = (pattern: string) =>
    readScenario(`scenario: p
caller: { script: [{ say: a }] }
expect: [{ agent_says: { pattern: '${pattern}' } }]`);
  assert.match(String(of('(').problems.map(({ path }) => path)), /\/expect\/0\/agent_says\/pattern/);
  assert.deepEqual(of('(a+)+$').problems, []);
});

test('the formatter keeps the meaning and the comments, orders the fields, and changes nothing the second time', () => {
  const shuffled = `# Kept.\n${GOOD.split('\n').slice(1, 9).join('\n')}\n${GOOD.split('\n').slice(9).join('\n')}scenario: last\n`;
  const formatted = formatScenario(shuffled);
  assert.deepEqual(readScenario(formatted), readScenario(shuffled));
  assert.match(formatted, /# Kept\./);
  assert.match(formatted, /# nobody has booked/);
  assert.ok(formatted.indexOf('scenario:') < formatted.indexOf('agent:'), formatted);
  assert.match(formatted, /^ {4}- \{ say: "?I need to move my appointment"? \}$/m);
  assert.equal(formatScenario(formatted), formatted);
});
