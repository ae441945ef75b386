/** The command as repositories without a clone have it: the file that the service offers, and scenarios. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { OPENS_AT, scenario, served } from '../support/tests.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-repository-'));
after(() => rmSync(dir, { recursive: true }));
mkdirSync(path.join(dir, 'scenarios'));
const write = (name: string, text: string) => writeFileSync(path.join(dir, name), text);

/** A service that wants keys, with one for a user, and the command that it offers in the folder. */
async function open(service: Service) {
  const { key } = await keysOf(service.database).create({ name: 'ci', role: 'user', user_id: USER });
  const ask = async (method: string, at: string, body?: Json): Promise<Json> =>
    (await service.request(method, at, { headers: { authorization: `Bearer ${key}` }, ...(body && { body }) })).body;
  write('agent-tests.mjs', await (await fetch(`${service.url}/agent-tests.mjs`)).text());
  const env = { PATH: process.env.PATH, SWITCHBOARD_URL: service.url, SWITCHBOARD_API_KEY: key, NO_COLOR: '1' };
  const run = (...args: string[]) => startProgram([process.execPath, 'agent-tests.mjs', ...args], { cwd: dir, env });
  const { id: agent_id } = await ask('POST', '/api/agents', { name: 'Desk', user_id: USER, config: OPENS_AT('ten') });
  return { ask, run, agent_id, runs: async () => (await ask('GET', '/api/test-runs')).items as Json[] };
}

const KEYS = { AUTH_MODE: 'required' };
const service = await startService({ env: KEYS });
const { ask, run, agent_id, runs } = await open(service);
await ask('PUT', `/api/agents/${agent_id}/external-key`, { external_key: 'desk' });
const named = (text: string) => `agent: { key: desk }\n${text}`;
write('scenarios/opens.yaml', named(scenario('opens')));
write('scenarios/twice.yaml', `agent: { id: ${agent_id}, version: draft }\n${scenario('twice', 'ten', 'runs: 2\n')}`);
write('wrong.yaml', named(scenario('wrong hour', 'noon')));
write('noon.agent.json', JSON.stringify({ format: 'switchboard.agent/1', name: 'Noon', config: OPENS_AT('noon') }));

test('the usage has no options that only a clone has', async () => {
  const command = run('--help');
  assert.equal(await command.exit, 0, command.output());
  assert.match(command.output(), /^ +--rules /m);
  assert.doesNotMatch(command.output(), /--(?:start|record|replay|judge-labels|votes|min-agreement)/);
});

test('one test run holds all files, and leaves nothing else in the service', async () => {
  const kept = await ask('POST', '/api/scenarios', { text: scenario('opens', 'nine') });
  const command = run('--json', 'report.json', 'scenarios');
  assert.equal(await command.exit, 0, command.output());
  assert.match(command.output(), /passed +opens\npassed +twice {2}2 of 2\n/);
  assert.match(command.output(), /twice +2 of 2 +passed +0\.0 s\n/);
  assert.match(command.output(), /is a sandbox: rules answered/);
  assert.match(command.output(), /2 of 2 scenarios passed/);
  const [only, ...others] = await runs();
  assert.deepEqual([only?.scenarios, only?.passed, others], [2, 2, []]);
  assert.equal((await ask('GET', `/api/scenarios/${kept.id}`)).text, kept.text);
  const here = run('--rules', 'scenarios');
  assert.equal(await here.exit, 0, here.output());
  const report = (output: string) => /Report (\w+)/.exec(output)?.[1];
  assert.equal(report(here.output()), report(command.output()));
  assert.equal((await runs()).length, 1);
});

test('a scenario that fails says why, and one that cannot be read where', async () => {
  const wrong = run('scenarios', 'wrong.yaml');
  assert.equal(await wrong.exit, 1, wrong.output());
  assert.match(wrong.output(), /regressed +wrong hour\n +failed: the agent says "noon" \(not said\)/);
  write('broken.yaml', 'scenario: w\ncaller: {}\nexpect: [{ says: x }]\n');
  const before = (await runs()).length;
  const broken = run('scenarios', 'broken.yaml');
  assert.equal(await broken.exit, 2, broken.output());
  assert.match(broken.output(), /^broken\.yaml:3:12 \/expect\/0\/says is unknown$/m);
  assert.equal((await runs()).length, before);
  write('unknown.yaml', `agent: { key: front-desk }\n${scenario('x')}`);
  for (const [args, reason] of [
    [['unknown.yaml'], /unknown\.yaml names the agent "front-desk", which is no external key in the service/],
    [['--replay', 'wrong.yaml'], /--replay needs a clone of Switchboard/],
    [['--start', 'wrong.yaml'], /--start needs a clone/],
    [['--runs', '101', 'wrong.yaml'], /--runs must be 1 to 100/],
    [['--version', '9', 'wrong.yaml'], /agent_version/],
    [['--key', 'sb_wrong', 'wrong.yaml'], /401|unauthorized|key/i],
  ] as const) {
    const refused = run(...args);
    assert.equal(await refused.exit, 2, refused.output());
    assert.match(refused.output(), reason);
  }
});

test("an agent's file is an agent of the service only for the time of the tests", async () => {
  const command = run('--user', USER, '--agent', 'noon.agent.json', 'scenarios', 'wrong.yaml');
  assert.equal(await command.exit, 1, command.output());
  assert.match(command.output(), /regressed +opens\n/);
  assert.match(command.output(), /passed +wrong hour\n/);
  const agents = await ask('GET', '/api/agents/');
  assert.deepEqual(
    agents.map(({ id }: Json) => id),
    [agent_id],
  );
});

test('a signal, or the end of the time, cancels what no worker has held', async () => {
  const waiting = await open(await served(KEYS));
  write('waits.yaml', `agent: { id: ${waiting.agent_id} }\n${scenario('waits')}`);
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const command = waiting.run('waits.yaml');
    await command.until((output) => output.includes('0 of 1 scenarios are done'));
    // The terminal signals npm too, which forwards the signal.
    command.child.kill(signal);
    assert.equal(await command.end(signal), code, command.output());
    assert.match(command.output(), new RegExp(`${signal} received`));
  }
  const late = waiting.run('--timeout', '1', 'waits.yaml');
  assert.equal(await late.exit, 3, late.output());
  assert.match(late.output(), /did not finish within 1 s/);
  assert.deepEqual(
    (await waiting.runs()).map(({ status }) => status),
    ['canceled', 'canceled', 'canceled'],
  );
});

test('a clone starts a service for the tests, which leaves nothing behind, whatever stops them', async () => {
  const temporary = path.join(dir, 'temporary');
  mkdirSync(temporary);
  const script = path.resolve(import.meta.dirname, '../../../scenarios/scripts/agent-tests.ts');
  const env = { PATH: process.env.PATH, TMPDIR: temporary, NO_COLOR: '1' };
  // Node.js keeps compiled code beside them.
  const folders = () => readdirSync(temporary).filter((name) => name.startsWith('switchboard-'));
  const begin = (...args: string[]) => startProgram([process.execPath, script, '--start', ...args], { cwd: dir, env });
  write(
    'template.yaml',
    `agent: { key: front-desk }\n${scenario('greets', '[a-z]').replace('"[a-z]"', '{ pattern: "[a-z]" }')}`,
  );
  const tested = begin('template.yaml');
  assert.equal(await tested.exit, 0, tested.output());
  assert.match(tested.output(), /is a sandbox: rules answered/);
  const stopped = begin('--agent', 'noon.agent.json', '--runs', '100', 'wrong.yaml');
  await stopped.until(() => folders().length > 0);
  assert.equal(await stopped.end('SIGTERM'), 143, stopped.output());
  const failed = begin('--agent', 'agent-tests.mjs', 'wrong.yaml');
  assert.equal(await failed.exit, 2, failed.output());
  assert.deepEqual(folders(), []);
});
