import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SwitchboardError } from '@switchboard/client';
import { namedStates, withExtractor } from '../src/data/agent-extractors.ts';
import { changedText, extractorChanges } from '../src/data/extractor-changes.ts';
import {
  ANSWERS,
  type Answer,
  alsoIn,
  type Content,
  canWeigh,
  choicesOf,
  cleanName,
  contentText,
  fieldsOf,
  isRequired,
  moved,
  nameProblem,
  readContent,
  renamed,
  weightOf,
  withAnswer,
  withField,
  withNewField,
  withoutField,
  withRequired,
  withWeight,
  withWord,
} from '../src/data/extractor-content.ts';
import { EMPTY_EXTRACTOR, EXTRACTOR_TEMPLATES } from '../src/data/extractor-templates.ts';
import { problemsByField } from '../src/data/problems-by-field.ts';

/** A content with more than the form shows. */
const FULL: Content = {
  schema: {
    $schema: 'x',
    type: 'object',
    title: 'Visit',
    properties: {
      outcome: { type: 'string', enum: ['booked', 'none'], title: 'Outcome', description: 'What came of it.' },
      friendly: { type: 'boolean' },
      guests: { type: 'integer', minimum: 0, maximum: 10, enum: [1, 2] },
      note: { type: 'string', maxLength: 40 },
      topics: { type: 'array', maxItems: 3, items: { type: 'string', enum: ['price'], description: 'One.' } },
      odd: { type: 'object' },
    },
    required: ['outcome', 'guests'],
    additionalProperties: false,
  },
  instructions: 'A hotel.',
  model: { provider: 'openai', model: 'a', temperature: 0 },
  when: { direction: 'INBOUND' },
  sample: 0.5,
  weights: { friendly: 2, guests: 1 },
  later: true,
};
const NAMES = ['outcome', 'friendly', 'guests', 'note', 'topics', 'odd'];
const schemaOf = (content: Content, name: string) => fieldsOf(content).find((one) => one.name === name)?.schema;

test('a change in the form changes that, and loses nothing that the form does not show', () => {
  const also = alsoIn(FULL);
  assert.deepEqual(also.sort(), [
    'later',
    'model.temperature',
    'schema.$schema',
    'schema.additionalProperties',
    'schema.properties.guests.enum',
    'schema.properties.note.maxLength',
    'schema.properties.odd',
    'schema.properties.outcome.title',
    'schema.properties.topics.items.description',
    'schema.properties.topics.maxItems',
    'schema.title',
  ]);
  const described = withField(FULL, 'note', withWord(schemaOf(FULL, 'note'), 'description', 'A note.'));
  assert.deepEqual(schemaOf(described, 'note'), { type: 'string', maxLength: 40, description: 'A note.' });
  const { schema: before, ...others } = FULL;
  const { schema: after, ...rest } = described;
  assert.deepEqual(rest, others);
  assert.deepEqual(Object.keys(after as Content), Object.keys(before as Content));
  assert.deepEqual(withField(described, 'note', schemaOf(FULL, 'note')), FULL, 'there and back');
  assert.deepEqual(readContent(contentText(FULL)).content, FULL, 'as JSON and back');
  assert.deepEqual(readContent('[1]'), { content: null, problem: 'This must be an object, in braces.' });
  assert.match(readContent('{').problem ?? '', /JSON/);
});

test('a renamed field keeps its place, its weight, and that it must be answered', () => {
  const after = renamed(FULL, 'guests', 'people');
  assert.deepEqual(
    fieldsOf(after).map(({ name }) => name),
    NAMES.with(2, 'people'),
  );
  assert.deepEqual([weightOf(after, 'people'), weightOf(after, 'guests')], [1, null]);
  assert.deepEqual([isRequired(after, 'people'), isRequired(after, 'guests')], [true, false]);
  assert.deepEqual(renamed(after, 'people', 'guests'), FULL);
});

test('fields are added with a free name, moved, and removed with their weight', () => {
  const added = withNewField(withNewField(FULL));
  assert.deepEqual(
    fieldsOf(added).map(({ name }) => name),
    [...NAMES, 'field_7', 'field_8'],
  );
  assert.deepEqual(
    fieldsOf(moved(FULL, 'friendly', -1)).map(({ name }) => name),
    ['friendly', 'outcome', ...NAMES.slice(2)],
  );
  assert.deepEqual(moved(FULL, 'outcome', -1), FULL);
  assert.deepEqual(moved(moved(FULL, 'note', 1), 'note', -1), FULL);
  const removed = withoutField(FULL, 'guests');
  assert.deepEqual([weightOf(removed, 'guests'), isRequired(removed, 'guests')], [null, false]);
  assert.deepEqual((removed.schema as Content).required, ['outcome']);
  const none = withRequired(withRequired(FULL, 'outcome', false), 'guests', false);
  assert.equal('required' in (none.schema as Content), false);
});

test('another type of answer keeps the description, and nothing that it cannot have', () => {
  for (const answer of Object.keys(ANSWERS) as Answer[])
    for (const { name, schema } of fieldsOf(FULL)) {
      const after = withAnswer(schema, answer);
      const content = withField(EMPTY_EXTRACTOR, 'answered', after);
      assert.equal(fieldsOf(content)[0]?.answer, answer, `${name} as ${answer}`);
      assert.deepEqual(alsoIn(content), name === 'outcome' ? ['schema.properties.answered.title'] : []);
      assert.equal(after.description, (schema as Content).description);
    }
  assert.deepEqual(withAnswer(schemaOf(FULL, 'guests'), 'number'), { type: 'number', minimum: 0, maximum: 10 });
  const text = withField(FULL, 'friendly', withAnswer(schemaOf(FULL, 'friendly'), 'string'));
  assert.equal(weightOf(text, 'friendly'), null, 'a text has no weight');
});

test('yes or no, and numbers between bounds, can have a weight', () => {
  assert.deepEqual(
    fieldsOf(FULL).flatMap(({ name, schema }) => (canWeigh(schema) ? name : [])),
    ['friendly', 'guests'],
  );
  assert.equal(canWeigh({ type: 'number', minimum: 1, maximum: 1 }), false);
  assert.deepEqual(withWeight(withWeight(FULL, 'friendly', null), 'friendly', 2).weights, { guests: 1, friendly: 2 });
});

test('names and values are cleaned as they are typed', () => {
  assert.equal(cleanName('Was it good?'), 'Was_it_good_');
  assert.equal(cleanName('2nd try'), '_2nd_try');
  assert.equal(nameProblem('', []), 'A field needs a name.');
  assert.equal(nameProblem('a', ['a']), 'Another field has this name.');
  assert.match(nameProblem('score', []) ?? '', /choose another/);
  assert.equal(nameProblem('scores', ['a']), null);
  assert.deepEqual(choicesOf(' booked \n\nnone\nbooked'), ['booked', 'none']);
});

test('the form shows the templates as a whole', () => {
  for (const { name, content } of [...EXTRACTOR_TEMPLATES, { name: 'empty', content: EMPTY_EXTRACTOR }]) {
    assert.deepEqual(alsoIn(content), [], name);
    assert.ok(
      fieldsOf(content).every(({ schema: one }) => (one as Content).description),
      name,
    );
    for (const field of Object.keys(content.weights as Content))
      assert.ok(canWeigh(schemaOf(content, field)), `${name}: ${field}`);
  }
});

test('two versions are compared in the words of the form, a list of values as one', () => {
  const more = withField(FULL, 'outcome', withWord(schemaOf(FULL, 'outcome'), 'enum', ['booked', 'moved', 'none']));
  const after = withNewField(withWeight({ ...more, sample: 1 }, 'friendly', 3));
  const changes = extractorChanges(FULL, after);
  assert.deepEqual(
    changes.map(({ name, before, after: now }) => [
      name,
      before === undefined ? '' : changedText(before),
      changedText(now),
    ]),
    [
      ['outcome: values', 'booked, none', 'booked, moved, none'],
      ['Field field_7', '', 'Yes or no'],
      ['Share of the calls', '0.5', '1'],
      ['friendly: weight', '2', '3'],
    ],
  );
  assert.deepEqual(extractorChanges(FULL, structuredClone(FULL)), []);
});

test('what the service refuses is told at its field', () => {
  const problems = [
    { loc: ['body', 'schema', 'properties', 'outcome', 'enum'], msg: 'no choices', type: 'value_error' },
    { loc: ['body', 'weights', 'note'], msg: 'no weight', type: 'value_error' },
    { loc: ['body', 'schema', 'properties'], msg: 'from 1 to 50', type: 'value_error' },
    { loc: ['body', 'sample'], msg: 'too small', type: 'value_error' },
  ];
  const error = new SwitchboardError('invalid_request', 'no', { status: 422, problems } as never);
  assert.deepEqual(
    [...problemsByField(error)],
    [
      ['outcome', ['enum: no choices']],
      ['note', ['weight: no weight']],
      ['', ['schema.properties: from 1 to 50', 'sample: too small']],
    ],
  );
  assert.equal(problemsByField(new Error('other')).size, 0);
});

test('an agent’s form knows which extractors it names, which are gone, and which are old', () => {
  const known = [{ name: 'visit', version: 4 }];
  const states = namedStates({ extractors: ['visit@3', 'gone', 'visit@7', '!', 5] }, known);
  assert.deepEqual(
    states.map(({ text, newest, isMissing }) => [text, newest, isMissing]),
    [
      ['visit@3', 4, false],
      ['gone', null, true],
      ['visit@7', 4, true],
    ],
  );
  assert.deepEqual(withExtractor(['visit@3', 'gone', '!'], 'visit', true), ['gone', '!', 'visit']);
  assert.deepEqual(withExtractor(['visit@3'], 'visit', false), undefined);
  assert.deepEqual(withExtractor(undefined, 'visit', true), ['visit']);
});
