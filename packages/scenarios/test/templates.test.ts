import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { TEMPLATES } from '@switchboard/templates';
import { readScenario } from '../src/read.ts';
import { createRulesAgent, type RulesConfig } from '../src/rules-agent.ts';
import { runScenario } from '../src/run.ts';
import { formatScenario } from '../src/write.ts';

const folder = path.resolve(import.meta.dirname, '../../templates/scenarios');
const files = globSync('*/*.yaml', { cwd: folder }).sort();

/** The names of the scenarios, of those whose agent has this key, that an agent does not pass. */
async function failuresOf(key: string, change: (config: { instructions: string; tools: object }) => void = () => {}) {
  const template = TEMPLATES.find((one) => one.key === key);
  const config = structuredClone(template?.config) as RulesConfig & { instructions: string; tools: object };
  change(config);
  const failed: string[] = [];
  for (const file of files.filter((name) => path.dirname(name) === key)) {
    const { scenario } = readScenario(readFileSync(path.join(folder, file), 'utf8'));
    assert.ok(scenario, file);
    const { status } = await runScenario(scenario, (around) =>
      createRulesAgent(config, scenario.variables ?? {}, around),
    );
    if (status !== 'passed') failed.push(path.basename(file, '.yaml'));
  }
  return failed;
}

test('every scenario of a template can be read, names its template, and has the layout of the format', () => {
  assert.ok(files.length >= 10);
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const { scenario, problems } = readScenario(text);
    assert.deepEqual(problems, [], file);
    assert.equal(scenario?.agent?.key, path.dirname(file));
    assert.equal(formatScenario(text), text, `npm run agent-tests -- --format ${file}`);
  }
});

test('the front desk passes its scenarios', async () => {
  assert.deepEqual(await failuresOf('front-desk'), []);
});

const replaced = (text: string, by: string) => (config: { instructions: string }) => {
  assert.ok(config.instructions.includes(text), text);
  config.instructions = config.instructions.replace(text, by);
};

const DEFECTS: [string, (config: { instructions: string; tools: object }) => void, string[]][] = [
  [
    'opens at another time',
    replaced('opens at nine and closes at five', 'opens at eight and closes at five'),
    ['opening-hours'],
  ],
  [
    'closes at another time',
    replaced('opens at nine and closes at five', 'opens at nine and closes at six'),
    ['closing-time'],
  ],
  ['is elsewhere', replaced('in Market Street', 'in Church Street'), ['way']],
  ['does not know about parking', replaced('- There is parking behind the house, and a lift.\n', ''), ['parking']],
  ['gives a first appointment an hour', replaced('half an hour', 'an hour'), ['first-appointment']],
  ['moves appointments late', replaced('up to a day before', 'at any time'), ['moving-an-appointment']],
  ['invents a price', replaced('- Appointments', '- A blood test is 90 dollars.\n- Appointments'), ['unknown-price']],
  ['transfers nobody', (config) => Object.assign(config.tools, { transfer: null }), ['wants-a-person']],
  ['never hangs up', (config) => Object.assign(config.tools, { hang_up: false }), ['goodbye', 'opening-hours']],
  ['knows nothing', (config) => (config.instructions = 'You answer the phone.'), ['closing-time', 'way']],
];

for (const [defect, change, caughtBy] of DEFECTS)
  test(`a front desk that ${defect} is caught`, async () => {
    const failed = await failuresOf('front-desk', change);
    assert.deepEqual(
      caughtBy.filter((name) => !failed.includes(name)),
      [],
      `failed: ${failed}`,
    );
  });
