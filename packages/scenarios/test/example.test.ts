import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { startProcess } from '@switchboard/testkit/service-process.ts';
import { parse } from 'yaml';

const repository = path.resolve(import.meta.dirname, '../../..');
const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-example-'));
const data = mkdtempSync(path.join(tmpdir(), 'switchboard-example-data-'));
cpSync(path.join(repository, 'examples/agent-tests'), dir, { recursive: true });
const service = await startProcess({ DATA_DIR: data });
after(async () => {
  await service.end('SIGTERM');
  for (const folder of [dir, data]) rmSync(folder, { recursive: true });
});

interface Step {
  name?: string;
  run?: string;
}

const { jobs } = parse(readFileSync(path.join(dir, '.github/workflows/agent-tests.yaml'), 'utf8')) as {
  jobs: Record<string, { steps: Step[] }>;
};

/** Runs a step of the workflow, as GitHub does. */
function runStep(name: string) {
  const step = jobs['agent-tests']?.steps.find((one) => one.name === name);
  assert.ok(step?.run, name);
  const settings = { SWITCHBOARD_URL: service.url, SWITCHBOARD_USER: 'me', SWITCHBOARD_API_KEY: '' };
  const summary = path.join(dir, 'summary.md');
  const env = { PATH: process.env.PATH, HOME: dir, GITHUB_STEP_SUMMARY: summary, ...settings };
  return spawnSync('bash', ['-e', '-c', step.run], { cwd: dir, env, encoding: 'utf8' });
}

const read = (file: string) => readFileSync(path.join(dir, file), 'utf8');

test('the example of a workflow tests an agent, writes its results, and tells what has regressed since', () => {
  assert.equal(runStep('Get the command').status, 0);
  const good = runStep('Test the agent');
  assert.equal(good.status, 0, good.stdout + good.stderr);
  assert.match(read('results.xml'), /<testsuite name="agent-tests" tests="2" failures="0" errors="0">/);
  assert.match(read('summary.md'), /\| the opening hours are told.* \| passed \| 4 of 4 \|/);
  assert.equal(runStep('Keep the report').status, 0);

  const agent = read('library.agent.json');
  writeFileSync(path.join(dir, 'library.agent.json'), agent.replace('at ten', 'at noon'));
  const bad = runStep('Test the agent');
  assert.equal(bad.status, 1);
  assert.match(bad.stdout, /regressed +the opening hours are told.* 0 of 4, before 4 of 4/);
  assert.match(read('results.xml'), /failures="1"/);
});
