import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { KEYED, keyVariable } from '../conversation/providers.ts';
import { readSettings } from '../settings.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const unit = read('deploy/switchboard-worker.service');
const manifest = read('deploy/kubernetes/worker.yaml');
const readme = read('worker/README.md');
const seconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);

/** The worker's remaining time after its calls: `LAST_MS` and a half of worker.ts, and the library's own shutdown. */
const ENDING_S = 20;

test('systemd and Kubernetes grant the worker the time in which calls may go on, and 20 s more', () => {
  for (const [drain, granted] of [
    [seconds(unit, /WORKER_DRAIN_S=(\d+)/), seconds(unit, /^TimeoutStopSec=(\d+)$/m)],
    [seconds(manifest, /WORKER_DRAIN_S\s+value: "(\d+)"/), seconds(manifest, /terminationGracePeriodSeconds: (\d+)/)],
  ]) {
    assert.ok(drain && granted);
    assert.ok(granted >= drain + ENDING_S, `${granted} s of ${drain}`);
  }
});

test('README lists the variables that the worker reads, and the manifests set no others', () => {
  const known = new Set(read('worker/settings.ts').match(/\b[A-Z]+(?:_[A-Z]+)+\b/g));
  for (const provider of KEYED) known.add(keyVariable(provider));
  for (const constant of ['KEYED', 'DEFAULT_PORT', 'HOST_API_KEY']) known.delete(constant);
  const variables = readme.slice(readme.indexOf('## Variables'), readme.indexOf('## Deploy it'));
  const listed = new Set(
    [...variables.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) => cell.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []),
  );
  assert.deepEqual([...listed].sort(), [...known].sort());
  const set = [
    ...[...manifest.matchAll(/- name: ([A-Z_]+)$/gm)].map(([, name = '']) => name),
    ...(unit.match(/\b[A-Z]+_[A-Z_]+(?==)/g) ?? []),
  ];
  assert.ok(set.length > 5);
  for (const name of set) assert.ok(known.has(name) || name === 'NODE_ENV', name);
});

test('docs/providers.md names each provider’s key', () => {
  const page = read('docs/providers.md');
  for (const provider of KEYED)
    assert.match(page, new RegExp(`^\\| \`${provider}\` \\|.*\\| \`${keyVariable(provider)}\` \\|`, 'm'));
});

test('README starts the worker as docs/talk.md does, whose commands e2e/talk.page.test.ts types', () => {
  const blocks = (text: string) => [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const [start = ''] = blocks(readme);
  const typed = blocks(read('docs/talk.md')).find((block) => block.startsWith('cd worker\n'));
  assert.deepEqual(start.trim().split('\n').sort(), typed?.trim().split('\n').slice(1).sort());
  const scriptsOf = (file: string): Record<string, string> => JSON.parse(read(file)).scripts;
  const scripts = { ...scriptsOf('package.json'), ...scriptsOf('worker/package.json') };
  for (const [, script] of readme.matchAll(/`npm (?:run )?([a-z]+)(?: -- \w+)?`/g))
    if (script !== 'ci') assert.ok(script && scripts[script], script);
});

test("the values of README's table are the worker's defaults, and the manifest's are accepted", () => {
  const required = { LIVEKIT_URL: 'ws://x', LIVEKIT_API_KEY: 'k', LIVEKIT_API_SECRET: 's', LIVEKIT_AGENT_NAME: 'a' };
  const defaults = readSettings(required);
  for (const [names, value] of [
    ['`SWITCHBOARD_URL`', defaults.switchboardUrl],
    ['`WORKER_MAX_CALLS`', defaults.maxCalls],
    ['`WORKER_MAX_CHATS`', defaults.maxChats],
    ['`WORKER_MAX_ANALYSES`', defaults.maxAnalyses],
    ['`WORKER_MAX_TESTS`', defaults.maxTests],
    ['`WORKER_IDLE_PROCESSES`', defaults.idleProcesses],
    ['`WORKER_DRAIN_S`', defaults.drainMs / 1000],
    ['`LOG_LEVEL`', defaults.logLevel],
  ])
    assert.ok(readme.includes(`| ${names} | \`${value}\` |`), `${names}`);
  assert.ok(readme.includes(`| \`WORKER_HOST\`, \`WORKER_PORT\` | \`${defaults.host}\`, \`${defaults.port}\` |`));
  const values = [...manifest.matchAll(/- name: ([A-Z_]+)\n\s+value: "?([^"\n]+)"?$/gm)];
  const settings = readSettings({ ...required, ...Object.fromEntries(values.map(([, name, value]) => [name, value])) });
  assert.equal(settings.host, '0.0.0.0');
  assert.equal(settings.spoolDir, '/spool');
  assert.ok(manifest.includes(`containerPort: ${settings.port}`));
});
