import { type Static, Type } from 'typebox';
import {
  AnsweredBy,
  DateTime,
  DecimalInput,
  Direction,
  FreeObject,
  Id,
  LedgerEventType,
  NumericString,
  nullable,
  oneOf,
  ShortText,
  Speaker,
} from '../../http/wire.ts';

/** Lines of a transcript that a task has, and characters of them: the end of a longer one. */
export const MAX_LINES = 2_000;
export const MAX_CHARS = 200_000;
/** Lines that are evidence of one value. */
export const MAX_EVIDENCE = 20;
/** Characters of a summary. */
export const MAX_SUMMARY = 2_000;
/** Bytes of a result as JSON. */
export const MAX_RESULT_BYTES = 65_536;
/** Usage events of one attempt. */
const MAX_USED = 20;

const CALL = '01980000-0000-7000-8000-000000000001';
const LINE = '01980000-0000-7000-8000-000000000002';
const found = {
  values: { outcome: 'booked', was_friendly: true },
  evidence: { outcome: [LINE], was_friendly: [LINE] },
  summary: 'The caller booked an appointment.',
  success: true,
};

const Evidence = Type.Unsafe<Record<string, string[]>>({
  type: 'object',
  additionalProperties: { type: 'array', maxItems: MAX_EVIDENCE, items: { type: 'string', maxLength: 100 } },
  title: 'AnalysisEvidence',
  description: 'Ids of the lines of the transcript that say so, by field.',
});
const Values = {
  ...FreeObject,
  title: 'AnalysisValues',
  description: 'By field; null where the transcript does not say.',
};

const analysis = {
  analysis_id: Id,
  call_id: Id,
  state: oneOf(
    'AnalysisState',
    ['queued', 'running', 'done', 'failed'],
    '`queued`: a worker will do it. `failed`: it was tried several times; `error` says why the last attempt failed.',
  ),
  extractor: Type.String(),
  extractor_version: Type.Integer(),
  values: nullable(Values),
  evidence: nullable(Evidence),
  summary: nullable(Type.String()),
  success: nullable(
    Type.Boolean({ description: 'Whether the call reached what it was for; null if that is unclear.' }),
  ),
  score: nullable(Type.Number({ description: 'From 0 to 1, by the weights of the extractor; null without any.' })),
  cost: { ...NumericString, description: 'What all attempts have cost, by the prices of that time.' },
  error: nullable(Type.String()),
  is_simulated: Type.Boolean({ description: 'Whether it was made by rules of the sandbox, without a model.' }),
  created_at: DateTime,
  started_at: nullable(DateTime),
  ended_at: nullable(DateTime),
};

const example = {
  analysis_id: '01980000-0000-7000-8000-000000000022',
  call_id: CALL,
  state: 'done',
  extractor: 'outcome',
  extractor_version: 1,
  ...found,
  score: 1,
  cost: '0.0012',
  error: null,
  is_simulated: false,
  created_at: '2026-01-15T09:32:00.000Z',
  started_at: '2026-01-15T09:32:00.100Z',
  ended_at: '2026-01-15T09:32:02.000Z',
};

export const Analysis = Type.Object(analysis, {
  title: 'Analysis',
  description:
    'What one version of an extractor has read out of a call. While the call is analysed again, the values are those of the last time.',
  examples: [example],
});

export const Analyses = Type.Object(
  { analyses: Type.Array(Analysis) },
  { title: 'Analyses', examples: [{ analyses: [example] }] },
);

export const AnalysisRequest = Type.Object(
  {
    extractors: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
        minItems: 1,
        maxItems: 8,
        description: 'Names, also with a version, `outcome@3`. By default those of the call’s version of its agent.',
      }),
    ),
  },
  { title: 'AnalysisRequest', additionalProperties: false, examples: [{ extractors: ['outcome'] }] },
);

export const CallAnalyzed = Type.Object(
  { type: Type.String({ description: '`call.analyzed`.' }), timestamp: DateTime, data: Analysis },
  {
    title: 'CallAnalyzed',
    description: 'Sent once an analysis is `done`, or has `failed`.',
    examples: [{ type: 'call.analyzed', timestamp: '2026-01-15T09:32:02.000Z', data: example }],
  },
);

const Line = Type.Object({ id: Id, speaker: Speaker, content: Type.String() }, { title: 'AnalysisLine' });
const AnalysedCall = Type.Object(
  {
    direction: Direction,
    answered_by: nullable(AnsweredBy),
    end_reason: nullable(Type.String()),
    started_at: nullable(DateTime),
    duration: nullable(Type.Number({ description: 'Seconds.' })),
  },
  { title: 'AnalysedCall' },
);

/** The payload of a worker's task. */
export const AnalysisTask = Type.Object(
  {
    analysis_id: Id,
    call_id: Id,
    user_id: Type.String(),
    agent_id: nullable(Id),
    extractor: Type.Object(
      { name: Type.String(), version: Type.Integer(), schema: FreeObject, instructions: Type.String() },
      { title: 'AnalysisExtractor' },
    ),
    llm: {
      ...FreeObject,
      description:
        'The language model, as `llm` of an agent names it, and `fail_over`, if it is a list: `{llm, fail_over}`.',
    },
    call: AnalysedCall,
    transcript: Type.Array(Line),
    is_transcript_complete: Type.Boolean({ description: 'False if the beginning was left out: it was too long.' }),
  },
  { title: 'AnalysisTask', description: 'The payload of a task of the kind `analysis`.' },
);
export type AnalysisTask = Static<typeof AnalysisTask>;

export const AnalysisResult = Type.Object(
  {
    values: Values,
    evidence: Evidence,
    summary: nullable(Type.String({ maxLength: MAX_SUMMARY })),
    success: nullable(Type.Boolean()),
  },
  {
    title: 'AnalysisResult',
    additionalProperties: false,
    description:
      'The result of a task of the kind `analysis`: 422 unless the values fit the schema and the evidence names lines of the transcript. A value without evidence is stored as null.',
    examples: [found],
  },
);
export type AnalysisResult = Static<typeof AnalysisResult>;

const Used = Type.Object(
  {
    provider: ShortText,
    model: Type.Optional(nullable(ShortText)),
    event_type: LedgerEventType,
    quantity: DecimalInput,
    unit_cost: Type.Optional(nullable(DecimalInput)),
    total_cost: Type.Optional(nullable(DecimalInput)),
  },
  { title: 'AnalysisUsage', additionalProperties: false },
);

/** A partial result: what an attempt has used, whether or not it succeeds. */
export const AnalysisEvent = Type.Object(
  {
    type: oneOf('AnalysisEventType', ['usage'], 'The kind of the event.'),
    used: Type.Array(Used, { minItems: 1, maxItems: MAX_USED }),
  },
  {
    title: 'AnalysisEvent',
    additionalProperties: false,
    description:
      'An event of a task of the kind `analysis`: what an attempt has used. Counted once for each lease, in the ledger, with the session of the call.',
  },
);
export type AnalysisEvent = Static<typeof AnalysisEvent>;

/** Calls that one backfill analyses; and those of all, in progress, of one user. */
export const MAX_BACKFILL_CALLS = 100_000;
export const MAX_OPEN_BACKFILLS = 3;

const BackfillFilter = Type.Object(
  {
    agent_id: Type.Optional(Id),
    agent_version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    direction: Type.Optional(Direction),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Calls created at or after.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Calls created before.' })),
  },
  { title: 'AnalysisBackfillFilter', additionalProperties: false },
);
export type BackfillFilter = Static<typeof BackfillFilter>;

const backfill = { extractor: 'outcome', filter: { from: '2026-01-01T00:00:00Z' } };

export const BackfillCreate = Type.Object(
  {
    extractor: Type.String({ minLength: 1, maxLength: 80, description: 'Its name, also with a version: `outcome@3`.' }),
    filter: BackfillFilter,
    estimate: Type.Optional(
      Type.Boolean({ default: true, description: 'Only says how many calls there are and what they would cost.' }),
    ),
  },
  { title: 'AnalysisBackfillCreate', additionalProperties: false, examples: [{ ...backfill, estimate: true }] },
);

export const Backfill = Type.Object(
  {
    backfill_id: nullable({ ...Id, description: 'Null for an estimate.' }),
    state: oneOf(
      'AnalysisBackfillState',
      ['estimate', 'running', 'out_of_budget', 'done', 'canceled'],
      '`out_of_budget`: the budget of the user for this month is spent. It goes on where it was once the limit is raised, or the next month begins.',
    ),
    extractor: Type.String(),
    extractor_version: Type.Integer(),
    filter: BackfillFilter,
    calls: nullable(
      Type.Integer({
        description: 'Of an estimate: calls that it would look at; those without a transcript cost nothing.',
      }),
    ),
    estimated_cost: nullable({
      ...NumericString,
      description:
        'Of an estimate: `calls` times the mean cost of the newest analyses by this extractor; null without any.',
    }),
    queued: Type.Integer({
      description:
        'Analyses that it has asked for so far, without those that were asked for otherwise before they had ended.',
    }),
    done: Type.Integer(),
    failed: Type.Integer(),
    created_at: nullable(DateTime),
    ended_at: nullable(DateTime),
  },
  {
    title: 'AnalysisBackfill',
    examples: [
      {
        backfill_id: null,
        state: 'estimate',
        extractor: 'outcome',
        extractor_version: 1,
        filter: backfill.filter,
        calls: 1200,
        estimated_cost: '1.44',
        queued: 0,
        done: 0,
        failed: 0,
        created_at: null,
        ended_at: null,
      },
    ],
  },
);
