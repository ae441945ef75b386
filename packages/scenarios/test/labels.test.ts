// Labelled examples for the judge, and the figures of how well it agrees with them.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { TEMPLATES } from '@switchboard/templates';
import { agreementOf, type Judgement } from '../src/agreement.ts';
import { readLabels } from '../src/labels.ts';
import { linesOf } from '../src/lines.ts';

const folder = path.resolve(import.meta.dirname, '../labels');
const sets = globSync('*.yaml', { cwd: folder })
  .sort()
  .map((file) => {
    const { set, problems } = readLabels(readFileSync(path.join(folder, file), 'utf8'));
    assert.deepEqual(problems, [], file);
    assert.ok(set);
    return { file, ...set };
  });
const examples = sets.flatMap((set) => set.examples);

test('each template has examples, which name its agent', () => {
  assert.deepEqual(
    sets.map(({ agent }) => agent?.key),
    TEMPLATES.map(({ key }) => key).sort(),
  );
  for (const { file, agent } of sets) assert.equal(file, `${agent?.key}.yaml`);
});

test('half of the examples hold, in every language and of every claim, so that neither gives the answer away', () => {
  assert.ok(examples.length >= 60);
  const kindsOf = (...fields: ('language' | 'claim')[]) =>
    Object.values(Object.groupBy(examples, (one) => fields.map((field) => one[field]).join()));
  for (const some of [...kindsOf('language'), ...kindsOf('claim')]) {
    const hold = some?.filter(({ holds }) => holds).length ?? 0;
    assert.equal(hold * 2, some?.length, some?.[0]?.claim);
  }
  const languages = [...new Set(examples.map(({ language }) => language))].sort();
  assert.deepEqual(languages, ['de', 'en', 'es', 'fr']);
});

test('there are near misses of every kind, and no conversation stands there twice', () => {
  const near = new Set(examples.filter(({ holds }) => !holds).map(({ how }) => how));
  for (const kind of ['almost', 'contrary', 'promise', 'caller', 'not_done', 'other_words', 'injection'])
    assert.ok(near.has(kind), kind);
  assert.ok(examples.some(({ holds, how }) => holds && how === 'other_words'));
  const asked = examples.map(({ claim, judged }) => JSON.stringify([claim, linesOf(judged)]));
  assert.equal(new Set(asked).size, asked.length);
});

test('a judge sees the lines as they are written, and how the conversation ended', () => {
  const { set } = readLabels(`labels: x
claims:
  - claim: the message was saved
    begins: [{ agent: "Hello?" }, { caller: "Save it." }]
    examples:
      - { holds: true, goes_on: [{ tool: save, args: { a: 1 }, returns: "ok" }, { agent: "Done." }], ends: agent_hung_up }
      - { holds: false, how: not_done, goes_on: [{ agent: "Done." }] }`);
  assert.deepEqual(
    set?.examples.map(({ judged, ...one }) => [one, linesOf(judged)]),
    [
      [
        { claim: 'the message was saved', language: 'en', how: 'plain', holds: true },
        ['agent: Hello?', 'caller: Save it.', 'tool: save({"a":1}) = ok', 'agent: Done.', 'end: agent_hung_up'],
      ],
      [
        { claim: 'the message was saved', language: 'en', how: 'not_done', holds: false },
        ['agent: Hello?', 'caller: Save it.', 'agent: Done.', 'end: caller_hung_up'],
      ],
    ],
  );
});

test('a file of examples is told of its mistakes with their places', () => {
  const { set, problems } = readLabels(
    'labels: x\nclaims:\n  - claim: y\n    examples: [{ holds: maybe, goes_on: [] }]\n',
  );
  assert.equal(set, null);
  assert.deepEqual(
    problems.map(({ line, column, path: place }) => [line, column, place]),
    [[4, 18, '/claims/0/examples/0/holds']],
  );
});

/** So many judgements of each kind. */
function judgements(counts: [holds: boolean, judged: boolean | null, times: number][]): Judgement[] {
  return counts.flatMap(([holds, judged, times]) => Array.from({ length: times }, () => ({ holds, judged })));
}

test('the figures are those of the textbook', () => {
  // 50 grant proposals and two readers: the example of Cohen's kappa that is found most often.
  const { agreement, precision, recall, kappa, ...counts } = agreementOf(
    judgements([
      [true, true, 20],
      [true, false, 5],
      [false, true, 10],
      [false, false, 15],
    ]),
  );
  assert.deepEqual([agreement, precision, recall, kappa], [0.7, 20 / 30, 0.8, 0.4]);
  assert.deepEqual([counts.examples, counts.agreed], [50, 35]);
  assert.ok(counts.interval.low < 0.7 && counts.interval.high > 0.7);
});

test('what is undecided agrees with nothing, is missed, and says nothing of precision', () => {
  const figures = agreementOf(
    judgements([
      [true, true, 6],
      [true, null, 2],
      [false, false, 4],
      [false, null, 4],
    ]),
  );
  const { agreement, precision, recall, kappa, true_undecided, false_undecided } = figures;
  assert.deepEqual([agreement, precision, recall], [10 / 16, 1, 6 / 8]);
  assert.deepEqual([true_undecided, false_undecided], [2, 4]);
  // By chance 8 · 6 + 8 · 4 of 16 · 16 would agree.
  assert.equal(kappa, (160 - 80) / (256 - 80));
});

test('where there is nothing to count there is no figure', () => {
  const none = agreementOf([]);
  assert.deepEqual([none.agreement, none.precision, none.recall, none.kappa], [null, null, null, null]);
  // A judge that always says the same agrees by chance.
  const same = agreementOf(judgements([[true, true, 3]]));
  assert.deepEqual([same.agreement, same.kappa], [1, null]);
  const wrong = agreementOf(
    judgements([
      [true, false, 5],
      [false, true, 5],
    ]),
  );
  assert.deepEqual([wrong.agreement, wrong.precision, wrong.recall, wrong.kappa], [0, 0, 0, -1]);
});
