import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const packages = path.resolve(import.meta.dirname, '../..');

/** The hash on every machine: it changes with the templates, their scenarios, the rules and the format. */
const REPORT = '01a4c41cce4f';

/** The hash of the report on the scenarios of all templates. */
function reportOn(node: string, TZ: string): string | undefined {
  const script = path.join(packages, 'scenarios/scripts/agent-tests.ts');
  const options = { env: { TZ, INIT_CWD: packages }, encoding: 'utf8' } as const;
  const told = execFileSync(node, [script, 'templates/scenarios'], options);
  return /Report ([0-9a-f]+)\.\n$/.exec(told)?.[1];
}

test('the report on the scenarios of all templates is the same on every machine, in every time zone and on every Node.js', () => {
  assert.equal(reportOn(process.execPath, 'Pacific/Kiritimati'), REPORT);
  assert.equal(reportOn(process.execPath, 'America/Los_Angeles'), REPORT);
  // CI installs another one, which nobody else has to.
  const other = process.env.OTHER_NODE;
  if (!other) return;
  assert.notEqual(execFileSync(other, ['--version'], { encoding: 'utf8' }).trim(), process.version);
  assert.equal(reportOn(other, 'UTC'), REPORT);
});
