import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { type Suite, SwitchboardError, type TestRun } from '@switchboard/client';
import { addTests } from '../src/data/add-tests.ts';
import { mistakesOf, offsetOf } from '../src/data/mistakes.ts';
import { NotPassed, releaseIfPassed } from '../src/data/release-gate.ts';
import { nameOf } from '../src/data/scenario-name.ts';

const RELEASE = {
  arms: [
    { version: 1, weight: 90 },
    { version: 2, weight: 10 },
  ],
};

/** A service that answers the second look at a run, which ends with one of these, by version, at the third. */
function gated(ends: Record<number, TestRun['status']>) {
  const done: unknown[] = [];
  const looks = new Map<string, number>();
  const runOf = (version: number, status: TestRun['status'], ended_at: string | null) =>
    ({ id: `run-${version}`, agent_version: version, status, ended_at }) as TestRun;
  const api = {
    testRuns: {
      start: async (body: { agent_version: number }) => {
        done.push(body);
        return runOf(body.agent_version, 'queued', null);
      },
      get: async (id: string) => {
        const [version, count] = [Number(id.slice(4)), (looks.get(id) ?? 0) + 1];
        looks.set(id, count);
        if (count === 1) throw new SwitchboardError('overloaded', 'later', { status: 503 });
        return count < 3 ? runOf(version, 'running', null) : runOf(version, ends[version] ?? 'passed', 'now');
      },
    },
    releases: { put: async (_: string, ...sent: object[]) => void done.push(...sent) },
  } as never;
  return { api, done };
}

const gate = (api: never, onRun: (run: TestRun) => void, signal = new AbortController().signal) =>
  releaseIfPassed(api, { agentId: 'a', suite: 's', release: RELEASE, before: { number: 7 }, onRun, lookMs: 1, signal });

test('a release is made with its gate once each of its versions has passed', async () => {
  const { api, done } = gated({});
  const seen: string[] = [];
  await gate(api, ({ agent_version, status }) => seen.push(`${agent_version} ${status}`));
  assert.deepEqual(done, [
    { agent_id: 'a', agent_version: 1, suite: 's' },
    { agent_id: 'a', agent_version: 2, suite: 's' },
    { ...RELEASE, gate: 's' },
    { ifMatch: '7' },
  ]);
  assert.deepEqual(seen, [
    '1 queued',
    '1 queued',
    '1 running',
    '1 passed',
    '2 queued',
    '2 queued',
    '2 running',
    '2 passed',
  ]);
});

test('nothing is released when a version does not pass, or when the dialog is closed', async () => {
  const { api, done } = gated({ 2: 'failed' });
  await assert.rejects(
    gate(api, () => {}),
    (error) => error instanceof NotPassed && error.run.id === 'run-2',
  );
  assert.equal(done.length, 2);
  const closed = gated({});
  const closing = new AbortController();
  const onRun = ({ agent_version, status }: TestRun) =>
    agent_version === 2 && status === 'passed' && closing.abort(new Error('closed'));
  await assert.rejects(gate(closed.api, onRun, closing.signal), /closed/);
  assert.equal(closed.done.length, 2);
});

test('a run that is gone ends the wait at once', async () => {
  const { api, done } = gated({});
  const gone = async () => {
    throw new SwitchboardError('not_found', 'gone', { status: 404 });
  };
  Object.assign((api as { testRuns: object }).testRuns, { get: gone });
  await assert.rejects(
    gate(api, () => {}),
    /gone/,
  );
  assert.equal(done.length, 1);
});

test('the tests of a template are added once, go on after a failure, and overwrite nothing', async () => {
  const saved = new Map([['one', 'mine']]);
  const suites: Pick<Suite, 'name' | 'scenarios'>[] = [];
  let refusal: Error | null = new Error('full');
  const api = {
    scenarios: {
      list: async function* () {
        for (const name of saved.keys()) yield { name, id: `id of ${name}` };
      },
      save: async ({ text }: { text: string }) => {
        if (nameOf(text) === 'three' && refusal) throw refusal;
        saved.set(nameOf(text), text);
        return { id: `id of ${nameOf(text)}` };
      },
    },
    suites: {
      list: async function* () {
        yield* suites;
      },
      save: async (suite: Suite) => {
        suites.push(suite);
        return suite;
      },
    },
  } as never;
  const add = () => addTests(api, 'Desk', ['scenario: one', 'scenario: two', 'scenario: three'], () => {});
  await assert.rejects(add(), /full/);
  assert.deepEqual(suites, []);
  refusal = null;
  const wanted = { name: 'Desk', scenarios: ['id of one', 'id of two', 'id of three'] };
  assert.deepEqual(await add(), wanted);
  assert.equal(saved.get('one'), 'mine');
  assert.deepEqual(await add(), wanted);
  assert.equal(suites.length, 1);
});

test('the scenarios of all templates have names that are read, each one once', async () => {
  const folder = path.resolve(import.meta.dirname, '../../templates/scenarios');
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.yaml'));
  const names = await Promise.all(files.map(async (file) => nameOf(await readFile(path.join(folder, file), 'utf8'))));
  assert.ok(names.length >= 60 && !names.includes(''));
  assert.equal(new Set(names).size, names.length);
});

test('names are read from YAML and JSON', () => {
  for (const text of [
    'scenario: a b  # c',
    'expect: []\nscenario: "a b"',
    "scenario: 'a b'",
    '{\n  "scenario": "a b",\n',
  ])
    assert.equal(nameOf(text), 'a b', text);
  assert.equal(nameOf("scenario: 'it''s'"), "it's");
  assert.equal(nameOf('scenario: "say \\"no\\""'), 'say "no"');
  assert.equal(nameOf('caller: {}'), '');
});

test('mistakes have their places; another error has none', () => {
  const problem = {
    loc: ['body', 'text'],
    msg: 'Line 2, column 3: x',
    type: 'value_error',
    ctx: { line: 2, column: 3 },
  };
  const error = new SwitchboardError('invalid_request', 'no', { problems: [problem] });
  const [mistake] = mistakesOf(error);
  assert.deepEqual(mistake, { line: 2, column: 3, message: problem.msg });
  assert.deepEqual(mistakesOf(new Error('no')), []);
  assert.equal(offsetOf('ab\ncdef', { line: 2, column: 3 }), 5);
  assert.equal(offsetOf('ab\ncd', { line: 1, column: 9 }), 2);
  assert.equal(offsetOf('ab', { line: 7, column: 1 }), 2);
});
