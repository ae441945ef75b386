import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-agent-tests-'));
after(() => rmSync(dir, { recursive: true }));

const GREETED = `scenario: greets & <helps>
caller: { script: [{ say: "When do you open?" }] }
expect: [{ agent_says: "we open at ten" }]
`;
const agent = (instructions: string) =>
  JSON.stringify({ format: 'switchboard.agent/1', name: 'A', config: { instructions } });

writeFileSync(path.join(dir, 'a.yaml'), GREETED);
writeFileSync(path.join(dir, 'good.agent.json'), agent('We open at ten.'));
writeFileSync(path.join(dir, 'bad.agent.json'), agent('We open at noon.'));

function run(...args: string[]) {
  const script = path.resolve(import.meta.dirname, '../scripts/agent-tests.ts');
  const env = { INIT_CWD: dir, NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('an agent that passes exits with 0, one that does not with 1, and says which scenario failed and why', () => {
  const good = run('--agent', 'good.agent.json', '.');
  assert.deepEqual([good.status, good.stderr], [0, '']);
  assert.match(good.stdout, /passed +greets & <helps>\n/);
  assert.match(
    good.stdout,
    /\n\nScenario {11}Passed {3}Verdict {4}Time\ngreets & <helps> {3}1 of 1 {3}passed {4}0\.0 s\n\n1 of 1 scenarios passed\. Report [0-9a-f]{12}\./,
  );
  const bad = run('--agent', 'bad.agent.json', '--runs', '3', 'a.yaml');
  assert.equal(bad.status, 1);
  assert.match(bad.stdout, /regressed +greets & <helps> {2}0 of 3\n +failed: the agent says "we open at ten"/);
});

test('the results are written for machines and for people', () => {
  const { status } = run(
    '--agent',
    'bad.agent.json',
    '--junit',
    'x.xml',
    '--json',
    'x.json',
    '--markdown',
    'x.md',
    'a.yaml',
  );
  assert.equal(status, 1);
  const read = (name: string) => readFileSync(path.join(dir, name), 'utf8');
  assert.match(read('x.xml'), /<testsuite name="agent-tests" tests="1" failures="1" errors="0">/);
  assert.match(read('x.xml'), /<testcase name="greets &amp; &lt;helps&gt;" classname="a.yaml"/);
  const { hash, scenarios } = JSON.parse(read('x.json'));
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.equal(scenarios[0].runs[0].trace.turns[0].heard, 'When do you open?');
  assert.match(read('x.md'), /\| greets & <helps> \| regressed \| 0 of 1 \|/);
  rmSync(path.join(dir, 'x.json'));
});

test('a report is compared with an earlier one, and tells what has regressed', () => {
  const tested = (name: string, ...more: string[]) =>
    run('--agent', `${name}.agent.json`, '--runs', '4', ...more, 'a.yaml');
  assert.equal(tested('good', '--json', 'base.json').status, 0);
  const worse = tested('bad', '--base', 'base.json', '--markdown', 'worse.md', '--json', 'worse.json');
  assert.equal(worse.status, 1);
  assert.match(worse.stdout, /regressed +greets & <helps> {2}0 of 4, before 4 of 4\n/);
  assert.match(readFileSync(path.join(dir, 'worse.md'), 'utf8'), /\| regressed \| 0 of 4, before 4 of 4 \|/);
  assert.match(tested('bad', '--base', 'worse.json').stdout, /flaky +greets & <helps> {2}0 of 4, before 0 of 4\n/);
  assert.match(tested('good', '--base', 'worse.json').stdout, /passed +greets & <helps> {2}4 of 4, before 0 of 4\n/);
  const none = tested('good', '--base', 'good.agent.json');
  assert.deepEqual([none.status, /is no report of --json/.test(none.stderr)], [2, true]);
  for (const name of ['base.json', 'worse.json']) rmSync(path.join(dir, name));
});

test('what cannot be run exits with 2, with every mistake and its place', () => {
  writeFileSync(path.join(dir, 'wrong.yaml'), 'scenario: w\ncaller: {}\nexpect: [{ says: x }]\n');
  const wrong = run('--agent', 'good.agent.json', '.');
  rmSync(path.join(dir, 'wrong.yaml'));
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^wrong\.yaml:3:12 \/expect\/0\/says is unknown$/m);
  for (const [args, message] of [
    [[], /no scenarios/],
    [['nothing'], /nothing does not exist/],
    [['--runs', '0', '--agent', 'good.agent.json', 'a.yaml'], /--runs must be 1 to 1000/],
    [['--version', 'x', 'a.yaml'], /--version must be a number or draft/],
    [['a.yaml'], /a\.yaml names no agent/],
    [['--version', '2', '--agent', 'good.agent.json', 'a.yaml'], /--version does not go with --agent/],
    [['--rules', '--replay', 'a.yaml'], /--replay and --rules do not go together/],
    [['--start', '--url', 'http://127.0.0.1:1', 'a.yaml'], /--start does not go with --url/],
    [['--timeout', '5', 'a.yaml'], /--timeout needs --url or --start/],
    [['--url', 'http://127.0.0.1:1', '--agent', 'good.agent.json', 'a.yaml'], /needs --user/],
    [['--votes', '3', 'a.yaml'], /--votes does not go without --judge-labels/],
    [['--bogus'], /bogus/],
  ] as const) {
    const { status, stderr } = run(...args);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
  }
});

test('files are written anew in the layout of the format', () => {
  writeFileSync(path.join(dir, 'ugly.yaml'), `expect: [{agent_says: x}]\nscenario: ugly\ncaller: {script: [{say: a}]}`);
  assert.equal(run('--format', 'ugly.yaml').status, 0);
  assert.match(
    readFileSync(path.join(dir, 'ugly.yaml'), 'utf8'),
    /^scenario: ugly\ncaller:\n {2}script:\n {4}- \{ say: a \}\n/,
  );
  rmSync(path.join(dir, 'ugly.yaml'));
});
