import { type Static, Type } from 'typebox';
import { AnsweredBy, DateTime, Direction, FreeObject, Id, nullable } from '../../http/wire.ts';
import { SINGLE_MODELS } from '../agents/model-schema.ts';

/** Extractors of one user, and versions of one extractor. */
export const MAX_EXTRACTORS = 100;
export const MAX_EXTRACTOR_VERSIONS = 1_000;
const MAX_WEIGHT = 1_000;
/** Characters of instructions. */
const MAX_INSTRUCTIONS = 8_192;
/** Bytes of a schema as JSON. */
export const MAX_SCHEMA_BYTES = 65_536;

const Name = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,63}$',
  description: 'By which agents name it. What is saved under the name of another one is its next version.',
});

const When = Type.Object(
  {
    direction: Type.Optional(Direction),
    answered_by: Type.Optional(AnsweredBy),
    min_duration_s: Type.Optional(
      Type.Number({ minimum: 0, maximum: 86_400, description: 'Seconds from the answer to the end of the call.' }),
    ),
  },
  {
    title: 'ExtractorWhen',
    additionalProperties: false,
    description: 'Which calls are analysed; by default all that have a transcript.',
  },
);

const ExtractorModel = Type.Object(SINGLE_MODELS.llm.properties, {
  title: 'ExtractorModel',
  additionalProperties: false,
  description: 'The language model, as `llm` of an agent names it; null: that of the agent.',
});

const fields = {
  schema: {
    ...FreeObject,
    description:
      'JSON Schema of an object. Its `properties` are the fields, 50 at most: each a `string` (also with `enum`), a `boolean`, an `integer` or a `number` (also with `minimum` and `maximum`), or an `array` of strings. Every value may be null.',
  },
  instructions: Type.String({
    maxLength: MAX_INSTRUCTIONS,
    description: 'For the model, in addition to the descriptions of the fields.',
  }),
  model: nullable(ExtractorModel),
  when: When,
  sample: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1,
    description: 'The share of these calls that is analysed. Which ones, their ids decide.',
  }),
  weights: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number', exclusiveMinimum: 0, maximum: MAX_WEIGHT },
    title: 'ExtractorWeights',
    description:
      'A scorecard: weights of boolean fields, and of numbers with `minimum` and `maximum`. The score of a call is the weighted mean of those that are known, from 0 to 1.',
  }),
};

const content = {
  schema: {
    type: 'object',
    properties: {
      outcome: { type: 'string', description: 'What came of the call: booked, moved, or nothing.' },
      was_friendly: { type: 'boolean' },
    },
  },
  instructions: 'The caller talks to the front desk of a clinic.',
  model: null,
  when: { answered_by: 'human', min_duration_s: 10 },
  sample: 1,
  weights: { was_friendly: 1 },
};
const example = {
  id: '01980000-0000-7000-8000-000000000021',
  user_id: 'user-1',
  name: 'outcome',
  version: 1,
  ...content,
  created_at: '2026-01-15T09:30:00.000Z',
  updated_at: '2026-01-15T09:30:00.000Z',
};

export const Extractor = Type.Object(
  {
    id: Id,
    user_id: Type.String(),
    name: Type.String(),
    version: Type.Integer({ description: 'Its content never changes.' }),
    ...fields,
    created_at: DateTime,
    updated_at: { ...DateTime, description: 'When this version was made.' },
  },
  { title: 'Extractor', examples: [example] },
);

export const ExtractorPut = Type.Object(
  {
    name: Name,
    schema: fields.schema,
    instructions: Type.Optional({ ...fields.instructions, default: '' }),
    model: Type.Optional(fields.model),
    when: Type.Optional(When),
    sample: Type.Optional({ ...fields.sample, default: 1 }),
    weights: Type.Optional(fields.weights),
  },
  { title: 'ExtractorPut', additionalProperties: false, examples: [{ name: 'outcome', ...content }] },
);
export type ExtractorPut = Static<typeof ExtractorPut>;

export const ExtractorQuery = Type.Object(
  {
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'By default the newest.' })),
  },
  { additionalProperties: false },
);
