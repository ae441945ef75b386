import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { TEMPLATES } from '@switchboard/templates';
import type { Surroundings } from '../src/agent.ts';
import { readScenario } from '../src/read.ts';
import { createRulesAgent, type Think } from '../src/rules-agent.ts';
import { runScenario } from '../src/run.ts';
import { formatScenario } from '../src/write.ts';
import type { Config } from './seeded/defect.ts';
import { INCOMING } from './seeded/incoming.ts';
import { OUTGOING } from './seeded/outgoing.ts';

const DEFECTS = [...INCOMING, ...OUTGOING];
const folder = path.resolve(import.meta.dirname, '../../templates/scenarios');
const files = globSync('*/*.yaml', { cwd: folder }).sort();

const scenarios = files.map((file) => {
  const { scenario } = readScenario(readFileSync(path.join(folder, file), 'utf8'));
  assert.ok(scenario, file);
  return { key: path.dirname(file), name: path.basename(file, '.yaml'), scenario };
});

function configOf(key: string): Config {
  const template = TEMPLATES.find((one) => one.key === key);
  assert.ok(template, key);
  return structuredClone(template.config) as Config;
}

/** The scenarios of a template that its agent does not pass. */
async function failuresOf(key: string, config = configOf(key), think?: Think): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, scenario } of scenarios.filter((one) => one.key === key)) {
    const { status } = await runScenario(scenario, (around) =>
      createRulesAgent(config, scenario.variables ?? {}, around, think),
    );
    if (status !== 'passed') failed.push(name);
  }
  return failed;
}

test('every scenario of a template can be read, names its template, and has the layout of the format', () => {
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const { scenario, problems } = readScenario(text);
    assert.deepEqual(problems, [], file);
    assert.equal(scenario?.agent?.key, path.dirname(file));
    assert.equal(formatScenario(text), text, `npm run agent-tests -- --format ${file}`);
  }
});

for (const { key } of TEMPLATES)
  test(`the template ${key} has ten scenarios or more, of other names, and passes them`, async () => {
    const names = scenarios.filter((one) => one.key === key).map(({ scenario }) => scenario.scenario);
    assert.ok(names.length >= 10);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(await failuresOf(key), []);
  });

test('a thousand runs pass, and those of one scenario are the same', async () => {
  const runs = Math.ceil(1000 / scenarios.length);
  for (const { key, name, scenario } of scenarios) {
    const config = configOf(key);
    const hashes = new Set<string>();
    for (let at = 0; at < runs; at++) {
      const make = (around: Surroundings) => createRulesAgent(config, scenario.variables ?? {}, around);
      const { status, hash } = await runScenario(scenario, make);
      assert.equal(status, 'passed', `${key}/${name}`);
      hashes.add(hash);
    }
    assert.equal(hashes.size, 1, `${key}/${name}`);
  }
});

test('most scenarios of each template look at facts, not at words alone', () => {
  for (const { key } of TEMPLATES) {
    const own = scenarios.filter((one) => one.key === key);
    const facts = own.filter(({ scenario }) =>
      scenario.expect.some(({ tool, world, call, timeline }) => tool ?? world ?? call ?? timeline),
    );
    assert.ok(facts.length * 2 > own.length, key);
  }
});

test('there are thirty defects or more, in every template, and every one has another name in its template', () => {
  assert.ok(DEFECTS.length >= 30);
  for (const { key } of TEMPLATES) {
    const names = DEFECTS.filter(({ template }) => template === key).map(({ does }) => does);
    assert.ok(names.length > 0 && new Set(names).size === names.length, key);
  }
});

test('the documentation tells how many defects there are', () => {
  const docs = readFileSync(path.join(folder, '../../../docs/agent-tests.md'), 'utf8');
  assert.equal(/(\d+) seeded defects/.exec(docs)?.[1], String(DEFECTS.length));
});

for (const { template, does, config: change, think, caughtBy } of DEFECTS)
  test(`an agent of the template ${template} that ${does} is caught`, async () => {
    const config = configOf(template);
    change?.(config);
    const failed = await failuresOf(template, config, think);
    assert.ok(caughtBy.length > 0);
    assert.deepEqual(
      caughtBy.filter((name) => !failed.includes(name)),
      [],
      `failed: ${failed}`,
    );
  });
