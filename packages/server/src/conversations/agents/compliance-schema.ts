import { Type } from 'typebox';
import { section } from './model-schema.ts';

/** Suppressions that an opt-out can make: by whom, or why, the person is not called any more. */
const OPT_OUT_SCOPES = ['user', 'agent', 'purpose'] as const;
/** Characters of a disclosure, and of a confirmation: words that nobody can interrupt. */
export const MAX_DISCLOSURE = 2_000;

const words = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_DISCLOSURE, pattern: '\\S', description }));

export const Compliance = section(
  {
    policy: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
        description:
          'The dial policy that its calls are decided by; by default the user\u2019s. Without a policy of this name nobody is called.',
      }),
    ),
    disclosure: section(
      {
        text: words(
          'The first words of an outbound call, such as who calls and that it is an AI; `{{name}}` is a variable. Nobody can interrupt them, and their time and words are recorded.',
        ),
      },
      'What somebody who is called must be told first.',
    ),
    opt_out: section(
      {
        enabled: Type.Optional(
          Type.Boolean({
            default: false,
            description:
              'Whether a person on the phone who asks not to be called again is suppressed at once, told so, and hung up on.',
          }),
        ),
        confirm: words('What the agent then says; `{{name}}` is a variable. By default a sentence in English.'),
        scope: Type.Optional(
          Type.Enum([...OPT_OUT_SCOPES], {
            type: 'string',
            title: 'OptOutScope',
            default: 'user',
            description:
              'Which calls the person has refused. `user`: all. `agent`: those of this agent. `purpose`: those with the purpose of the call.',
          }),
        ),
      },
      'How the agent takes it when somebody does not want to be called.',
    ),
  },
  'Whom the agent may call, and when; what it must say, and how somebody refuses further calls (docs/outreach.md).',
);
