import { MAX_PATTERN, PATTERN_NAME } from '@switchboard/redaction/patterns';
import { KINDS } from '@switchboard/redaction/types';
import { Type } from 'typebox';
import { section } from './model-schema.ts';

/** Custom patterns of an agent. */
export const MAX_CUSTOM = 20;
/** Days for which an agent may keep data: ten years. */
export const MAX_DAYS = 3_650;

const days = (of: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DAYS, description: `Days after which ${of} deleted.` }));

const CustomPattern = Type.Object(
  {
    name: Type.String({ pattern: PATTERN_NAME, description: '`[name]` takes the place of what the pattern matches.' }),
    pattern: Type.String({
      minLength: 1,
      maxLength: MAX_PATTERN,
      description: 'A regular expression in the syntax of RE2; upper and lower case are the same.',
    }),
  },
  { additionalProperties: false },
);

const fields = {
  redact: Type.Optional(
    Type.Array(Type.Enum([...KINDS], { type: 'string', title: 'RedactionKind' }), {
      maxItems: KINDS.length,
      uniqueItems: true,
      description: 'Secrets that are replaced by placeholders like `[card]` before anything is written.',
    }),
  ),
  custom: Type.Optional(
    Type.Array(CustomPattern, { maxItems: MAX_CUSTOM, description: 'Patterns that are replaced in the same way.' }),
  ),
  keep: section(
    {
      transcripts_days: days('the words of a conversation are'),
      recordings_days: days('its recordings are'),
      metadata_days: days('its variables, `metadata` and `session_data` are'),
    },
    'How long conversations are kept that begin from now on, if the installation does not delete them earlier.',
  ),
};

/** The part of a configuration that says what is not kept. */
export const Privacy = section(
  {
    ...fields,
    tool_calls: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether calls of tools are recorded, with what the tools answered, for tests that are made of a call. With `false`, workers report none. Those of a chat are kept for 2 days in any case.',
      }),
    ),
  },
  'Replaces secrets in what is said before it is written (docs/privacy.md). The model and your functions get them.',
);

/** The same for all conversations of a user. */
export const UserPrivacy = Type.Object(fields, {
  title: 'UserPrivacy',
  additionalProperties: false,
  description:
    'What is not kept of conversations of the user that begin from now on, beside what their agents say: what either redacts is replaced, and the shorter time counts.',
});
