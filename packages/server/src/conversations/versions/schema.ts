import { Type } from 'typebox';
import { AgentType, DateTime, FreeObject, Id, nullable, oneOf, ShortText } from '../../http/wire.ts';

const MAX_NOTE = 1000;
/** Versions that one release has at most. */
export const MAX_ARMS = 10;

const agent_id = '01980000-0000-7000-8000-000000000000';
const hash = '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef';
const config = { llm: { provider: 'openai', model: 'gpt-4o-mini' }, greeting: 'Good morning.' };
const by = { created_by: 'Night shift', created_at: '2026-01-15T09:30:00.000Z' };

const Description = Type.String({ maxLength: 65_536 });
export const VersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

/** A version by its number, or the draft. */
export const Source = Type.Unsafe<number | 'draft'>({
  anyOf: [
    { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
    { type: 'string', pattern: '^draft$' },
  ],
  title: 'AgentVersionSource',
  description: 'The number of a version, or `draft`.',
});

const contentFields = {
  name: Type.String(),
  description: nullable(Type.String()),
  type: AgentType,
  config: FreeObject,
};

const CreatedBy = Type.String({
  description: 'The name of the key, or the user\u2019s address at the identity provider.',
});

export const AgentDraft = Type.Object(
  {
    agent_id: Id,
    ...contentFields,
    has_changes: Type.Boolean({ description: 'Whether there is a draft. If not, this is what most calls get.' }),
    based_on: Type.Integer({ description: 'The version that most calls got when the draft was begun.' }),
    revision: Type.String({ description: 'The `ETag`, without its quotes.' }),
    updated_by: nullable(CreatedBy),
    updated_at: nullable(DateTime),
  },
  {
    title: 'AgentDraft',
    examples: [
      {
        agent_id,
        name: 'Front desk',
        description: null,
        type: 'PIPELINE',
        config,
        has_changes: true,
        based_on: 3,
        revision: '2026-01-15T09:30:00.000Z',
        updated_by: by.created_by,
        updated_at: by.created_at,
      },
    ],
  },
);

export const DraftPut = Type.Object(
  {
    name: ShortText,
    description: Type.Optional(nullable(Description)),
    type: Type.Optional(AgentType),
    config: FreeObject,
  },
  { title: 'AgentDraftPut', additionalProperties: false, examples: [{ name: 'Front desk', config }] },
);

const summaryFields = {
  number: VersionNumber,
  hash: Type.String({ description: 'Equal for equal content.' }),
  name: Type.String(),
  note: nullable(Type.String()),
  created_by: CreatedBy,
  created_at: DateTime,
  released_at: nullable({ ...DateTime, description: 'When it was first released. Null: no call but a trial got it.' }),
};
const exampleSummary = {
  number: 4,
  hash,
  name: 'Front desk',
  note: 'Says good morning',
  ...by,
  released_at: '2026-01-15T09:31:00.000Z',
};

export const AgentVersionSummary = Type.Object(summaryFields, {
  title: 'AgentVersionSummary',
  examples: [exampleSummary],
});

export const AgentVersion = Type.Object(
  { ...summaryFields, ...contentFields },
  {
    title: 'AgentVersion',
    description: 'What calls get of an agent. It never changes.',
    examples: [{ ...exampleSummary, description: null, type: 'PIPELINE', config }],
  },
);

export const VersionCreate = Type.Object(
  {
    note: Type.Optional(
      nullable(Type.String({ minLength: 1, maxLength: MAX_NOTE, description: 'What is new, for people.' })),
    ),
    from: Type.Optional(Source),
  },
  {
    title: 'AgentVersionCreate',
    additionalProperties: false,
    examples: [{ note: 'Says good morning', from: 'draft' }],
  },
);

export const VersionDiff = Type.Object(
  {
    from: Source,
    to: Source,
    patch: Type.Array(
      Type.Object(
        {
          op: oneOf('JsonPatchOp', ['add', 'remove', 'replace'], 'What the operation does.'),
          path: Type.String({ description: 'A JSON Pointer (RFC 6901), such as `/config/greeting`.' }),
          value: Type.Optional(Type.Unknown({ description: 'The new value; absent for `remove`.' })),
        },
        { title: 'JsonPatchOperation' },
      ),
      { description: 'A JSON Patch (RFC 6902) of `name`, `description`, `type` and `config`.' },
    ),
    texts: Type.Array(
      Type.Object(
        { path: Type.String(), diff: Type.String({ description: 'In the unified format, without a header.' }) },
        { title: 'TextDiff' },
      ),
      { description: 'For each replaced text that is long or has several lines, its changes by lines.' },
    ),
  },
  {
    title: 'AgentVersionDiff',
    examples: [
      {
        from: 3,
        to: 4,
        patch: [{ op: 'replace', path: '/config/greeting', value: 'Good morning.\nHow can I help?' }],
        texts: [{ path: '/config/greeting', diff: '@@ -1,1 +1,2 @@\n-Hello.\n+Good morning.\n+How can I help?' }],
      },
    ],
  },
);

const Arm = Type.Object(
  {
    version: VersionNumber,
    weight: Type.Integer({ minimum: 1, maximum: 100, description: 'Calls of a hundred.' }),
  },
  { title: 'ReleaseArm', additionalProperties: false, description: 'A version, and how many of the calls get it.' },
);
const StickyBy = oneOf(
  'StickyBy',
  ['number', 'none'],
  'With `number`, the same phone number always gets the same version, while the release has it; moving weight moves as few numbers as possible. Calls without a number, and all with `none`, get one by chance.',
);
const Gate = nullable({ ...Id, description: 'The id of a suite that every version has to have passed.' });
const Publishing = oneOf(
  'Publishing',
  ['direct', 'gated'],
  '`direct`: an update of the agent is live at once. `gated`: it is refused with 409 `agent_is_gated`; changes go through the draft, a version and a release.',
);

export const ReleasePut = Type.Object(
  {
    arms: Type.Array(Arm, { minItems: 1, maxItems: MAX_ARMS, description: 'Their weights sum to 100.' }),
    sticky_by: Type.Optional(StickyBy),
    gate: Type.Optional(Gate),
  },
  {
    title: 'AgentReleasePut',
    additionalProperties: false,
    examples: [
      {
        arms: [
          { version: 3, weight: 90 },
          { version: 4, weight: 10 },
        ],
        sticky_by: 'number',
      },
    ],
  },
);

export const releaseFields = {
  number: Type.Integer(),
  arms: Type.Array(Arm),
  sticky_by: StickyBy,
  gate: Gate,
  repeats: nullable(Type.Integer({ description: 'The release that a rollback has made this one of.' })),
  previous: nullable(
    Type.Integer({ description: 'The release that a rollback returns to, if its versions are still kept.' }),
  ),
  created_by: CreatedBy,
  created_at: DateTime,
};
export const exampleRelease = {
  number: 5,
  arms: [
    { version: 3, weight: 90 },
    { version: 4, weight: 10 },
  ],
  sticky_by: 'number',
  gate: null,
  repeats: null,
  previous: 4,
  ...by,
};

export const AgentRelease = Type.Object(releaseFields, { title: 'AgentRelease', examples: [exampleRelease] });

export const CurrentRelease = Type.Object(
  { ...releaseFields, publishing: Publishing },
  {
    title: 'AgentCurrentRelease',
    description: 'What calls get now, and how the agent is changed.',
    examples: [{ ...exampleRelease, publishing: 'direct' }],
  },
);

export const PublishingPut = Type.Object(
  { publishing: Publishing },
  { title: 'AgentPublishingPut', additionalProperties: false, examples: [{ publishing: 'gated' }] },
);
