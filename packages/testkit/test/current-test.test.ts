import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const CURRENT_TEST = path.resolve(import.meta.dirname, '../current-test.js');
/** Registers tests late and in each other, and fails in timers, ticks and promises. */
const TESTS = `
  import { after, describe, it, suite, test } from 'node:test';
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  await wait(5);
  test('holds tests', async (t) => {
    await wait(1);
    await t.test('its own', async () => {
      await wait(1);
      await test('one of all', async () => wait(1));
    });
  });
  test('holds a suite', () => {
    suite('that takes time', async () => {
      await wait(5);
      test('in the suite', () => wait(1));
      describe('a suite in it', () => it('in that', () => wait(1)));
    });
  });
  test('rejects', async () => {
    Promise.reject(new Error('of rejects'));
    await wait(20);
  });
  test('throws in a timer', async () => {
    setTimeout(() => { throw new Error('of a timer'); }, 5);
    await wait(30);
  });
  test('throws in a tick', async () => {
    process.nextTick(() => { throw new Error('of a tick'); });
    await wait(30);
  });
  test('throws after its end', () => { setTimeout(() => { throw new Error('too late'); }, 20); });
  test('waits', () => wait(60));
  test('never ends', { timeout: 50 }, () => new Promise(() => {}));
  describe('at the same time', { concurrency: true }, () => {
    for (const number of [1, 2, 3])
      it('number ' + number, async (t) => {
        t.after(() => { if (number === 2) throw new Error('of a hook'); });
        await wait(number * 5);
        t.diagnostic('said by ' + number);
      });
  });
`;

/** The report without what differs from run to run, and where errors were thrown. */
function report(...options: string[]): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [...options, '--test-reporter=tap', '--input-type=module', '--eval', TESTS];
  const { stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return stdout.replaceAll(/^.*duration_ms.*\n/gm, '').replaceAll(/^( *)stack: \|-\n(?:\1 .*\n)+/gm, '');
}

test('tests, suites and failures belong to the same tests as without it', () => {
  const usual = report();
  assert.match(usual, /not ok \d+ - rejects/);
  assert.match(usual, /not ok \d+ - number 2/);
  assert.equal(report(`--import=${CURRENT_TEST}`), usual);
});
