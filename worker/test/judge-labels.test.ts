// The judge of scenarios, measured by labelled examples through the command, with models whose answers are known.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { readLabels } from '../../packages/scenarios/src/labels.ts';
import { linesOf } from '../../packages/scenarios/src/lines.ts';
import { completion, events, startStandIn } from './stand-in.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-judge-labels-'));
after(() => rmSync(dir, { recursive: true }));
const TIMEOUT = { timeout: 110_000 };
const labels = path.resolve(import.meta.dirname, '../../packages/scenarios/labels');

/** One answer of a model: a call of its tool, or words. */
type Said = { call: object } | { words: string };

/** A model in OpenAI's protocol, and an agent that has it. */
async function startModel(t: TestContext, think: (question: string) => Said) {
  const model = await startStandIn({
    http: ({ body }, response) => {
      assert.deepEqual([body.tools[0].function.name, body.tool_choice], ['decide', 'required']);
      const said = think(body.messages.at(-1).content);
      const made = (args: object) => ({
        index: 0,
        id: 'call_1',
        type: 'function',
        function: { name: 'decide', arguments: JSON.stringify(args) },
      });
      const delta = 'words' in said ? { content: said.words } : { tool_calls: [made(said.call)] };
      events(response, completion([delta], null, 'words' in said ? 'stop' : 'tool_calls'), '[DONE]');
    },
  });
  t.after(model.close);
  const base_url = `${model.origin}/v1`;
  const config = { llm: { provider: 'openai', model: 'm', base_url } };
  writeFileSync(path.join(dir, 'a.agent.json'), JSON.stringify({ config }));
  return { model, env: { MODEL_BASE_URLS: `${base_url}=MODEL_KEY`, MODEL_KEY: 'key' } };
}

function measure(args: string[], env: Record<string, string> = {}) {
  const script = path.resolve(import.meta.dirname, '../../packages/scenarios/scripts/agent-tests.ts');
  const all = [...process.execArgv, script, '--judge-labels', '--agent', 'a.agent.json', '--json', 'm.json', ...args];
  const options = { env: { INIT_CWD: dir, NO_COLOR: '1', ...env }, cwd: dir, timeout: 100_000 };
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) =>
    execFile(process.execPath, all, options, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stdout, stderr }),
    ),
  );
}

const figures = () => JSON.parse(readFileSync(path.join(dir, 'm.json'), 'utf8'));
const claimOf = (question: string) => /The claim: (.*)$/.exec(question)?.[1] ?? '';
const decided = (holds: unknown): Said => ({ call: { reason: 'so it is', holds } });

/** The label, and what the model answers. */
const ANSWERS: Record<string, [holds: boolean, said: Said]> = {
  'is right 1': [true, decided(true)],
  'is right 2': [true, decided(true)],
  'is wrong 1': [true, decided(false)],
  'is garbage': [true, { words: 'banana { "holds": tru' }],
  'is no boolean': [true, decided('yes')],
  'is right 3': [false, decided(false)],
  'is right 4': [false, decided(false)],
  'is written': [false, { words: 'Sure: {"reason": "it is not there", "holds": false}' }],
  'is wrong 2': [false, decided(true)],
  'is refused': [false, { words: 'I cannot help with that.' }],
};

function writeOwn(): void {
  const claims = Object.entries(ANSWERS).map(([claim, [holds]]) => {
    return { claim, examples: [{ holds, goes_on: [{ caller: 'Hello?' }, { agent: 'Hello.' }] }] };
  });
  writeFileSync(path.join(dir, 'own.json'), JSON.stringify({ labels: 'own', claims }));
}

test('right, wrong, garbled and refused answers are counted as what they are', TIMEOUT, async (t) => {
  writeOwn();
  const { model, env } = await startModel(t, (question) => ANSWERS[claimOf(question)]?.[1] ?? assert.fail(question));
  const enough = await measure(['--min-agreement', '0.5', 'own.json'], env);
  assert.deepEqual([enough.stderr, enough.status], ['', 0]);
  assert.equal(model.asked.length, 10);
  const { agreement: of, judgements } = figures();
  assert.deepEqual([of.true_true, of.true_false, of.true_undecided], [2, 1, 2]);
  assert.deepEqual([of.false_true, of.false_false, of.false_undecided], [1, 3, 1]);
  assert.deepEqual([of.agreement, of.precision, of.recall, of.kappa], [0.5, 2 / 3, 2 / 5, 15 / 65]);
  assert.deepEqual(
    judgements
      .filter(({ judged }: { judged: unknown }) => judged === null)
      .map(({ claim }: { claim: string }) => claim),
    ['is garbage', 'is no boolean', 'is refused'],
  );
  assert.match(enough.stdout, /^10 examples, one vote each, judged by openai\/m\n/);
  assert.match(enough.stdout, /labelled true +2 +1 +2\nlabelled false +1 +3 +1\n/);
  assert.match(
    enough.stdout,
    /agreement +50\.0 % \(23\.7 % to 76\.3 % at 95 %\)\nprecision +66\.7 %\nrecall +40\.0 %\n/,
  );
  assert.match(enough.stdout, /Cohen's kappa +0\.231\n/);
  assert.match(
    enough.stdout,
    /own\.json: is wrong 2 \(en, plain\)\n +labelled false, judged true: 1 of 1 votes: so it is/,
  );
  assert.match(enough.stdout, /labelled false, judged undecided: 0 of 1 votes: I cannot help with that\./);
  assert.doesNotMatch(enough.stdout, /: is right/);

  const less = await measure(['--min-agreement', '0.51', 'own.json'], env);
  assert.deepEqual([less.status, /Less than 0\.51 is judged as it is labelled\.\n$/.test(less.stdout)], [1, true]);
});

test('the majority of several votes decides, and recorded votes need no model', TIMEOUT, async (t) => {
  writeOwn();
  const votes = new Map<string, number>();
  // True, false, true of what is labelled true; false, garbage, garbage of the rest.
  const { model, env } = await startModel(t, (question) => {
    const claim = claimOf(question);
    const vote = votes.get(claim) ?? 0;
    votes.set(claim, vote + 1);
    if (ANSWERS[claim]?.[0]) return decided(vote !== 1);
    return vote === 0 ? decided(false) : { words: 'banana' };
  });
  const recorded = await measure(['--record', '--votes', '3', 'own.json'], env);
  assert.deepEqual([recorded.stderr, recorded.status, model.asked.length], ['', 0, 30]);
  const { votes: asked, agreement: of } = figures();
  assert.deepEqual([asked, of.true_true, of.false_undecided, of.agreed], [3, 5, 5, 5]);
  const replayed = await measure(['--replay', '--votes', '3', 'own.json']);
  assert.deepEqual([replayed.status, replayed.stdout, model.asked.length], [0, recorded.stdout, 30]);
  rmSync(path.join(dir, 'own.cassette.json'));
});

test('a judge that knows the shipped examples agrees with all, and its contrary with none', TIMEOUT, async (t) => {
  const known = globSync('*.yaml', { cwd: labels }).flatMap((file) => {
    const { set } = readLabels(readFileSync(path.join(labels, file), 'utf8'));
    assert.ok(set, file);
    return set.examples.map(({ claim, judged, holds }) => ({
      question: `The conversation, as a list of lines:\n${JSON.stringify(linesOf(judged), null, 1)}\n\nThe claim: ${claim}`,
      holds,
    }));
  });
  const labelOf = (question: string) => known.find((one) => one.question === question)?.holds ?? assert.fail(question);
  const right = await startModel(t, (question) => decided(labelOf(question)));
  const all = await measure(['--min-agreement', '1'], right.env);
  assert.deepEqual([all.stderr, all.status, figures().agreement.kappa], ['', 0, 1]);
  assert.equal(figures().agreement.agreed, known.length);
  const wrong = await startModel(t, (question) => decided(!labelOf(question)));
  const none = await measure(['--min-agreement', '0.01'], wrong.env);
  assert.deepEqual([none.status, figures().agreement.agreed, figures().agreement.kappa], [1, 0, -1]);
});

test('a judge that is none, or cannot be asked, has no figures', TIMEOUT, async (t) => {
  writeOwn();
  const { env } = await startModel(t, () => ({ words: 'I cannot help with that.' }));
  const refusing = await measure(['own.json'], env);
  assert.equal(refusing.status, 2);
  assert.match(refusing.stderr, /^The judge has decided nothing\. 0 of 1 votes: I cannot help with that\.\n$/);
  const keyless = await measure(['own.json']);
  assert.deepEqual([keyless.status, /is not listed in MODEL_BASE_URLS/.test(keyless.stderr)], [2, true]);
  writeFileSync(path.join(dir, 'a.agent.json'), JSON.stringify({ config: { llm: { provider: 'local' } } }));
  const rules = await measure(['own.json']);
  assert.deepEqual([rules.status, /the rules of `local` do not judge: name a model/.test(rules.stderr)], [2, true]);
  for (const [args, message] of [
    [['--votes', '0', 'own.json'], /--votes must be 1 to 9/],
    [['--min-agreement', '90', 'own.json'], /--min-agreement must be 0 to 1/],
    [['--junit', 'x.xml', 'own.json'], /--junit does not go with --judge-labels/],
    [['a.agent.json'], /a\.agent\.json:1:\d+ /],
  ] as const) {
    const { status, stderr } = await measure([...args]);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
  }
});
