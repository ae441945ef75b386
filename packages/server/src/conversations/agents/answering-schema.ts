import { Type } from 'typebox';
import { SINGLE_MODELS, section } from './model-schema.ts';

/** Characters of a message, and of the words for a machine that asks who calls. */
const [MAX_MESSAGE, MAX_WORDS] = [65_536, 500];

const words = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_WORDS, pattern: '\\S', description }));

/** Settings of an agent about whoever or whatever answers an outbound call. */
export const ANSWERING = {
  voicemail: section(
    {
      action: Type.Optional(
        Type.Enum(['hang_up', 'leave_message', 'continue'], {
          type: 'string',
          title: 'VoicemailAction',
          default: 'hang_up',
          description:
            'What the agent does once an answering machine has answered. It reports `answered_by: voicemail`, or `unavailable` if the machine takes no message.',
        }),
      ),
      message: Type.Optional(
        Type.String({ maxLength: MAX_MESSAGE, description: 'What `leave_message` says; `{{name}}` is a variable.' }),
      ),
      wait_for_beep: Type.Optional(
        Type.Boolean({
          default: true,
          description:
            'Whether the message waits for the tone after the greeting: until it has ended, for four seconds of silence if there is none, and for at most 20 seconds.',
        }),
      ),
      stt: SINGLE_MODELS.stt,
      llm: SINGLE_MODELS.llm,
    },
    'Finds out who or what answers an outbound call. `stt` and `llm` do so in place of the agent\u2019s own models; beside `realtime`, without them, rules decide by the transcript of the realtime model.',
  ),
  screening: section(
    {
      identity: words('Says who calls, as a sentence; `{{name}}` is a variable.'),
      purpose: words('Says why, as a sentence; `{{name}}` is a variable.'),
      timeout_s: Type.Optional(
        Type.Integer({
          minimum: 5,
          maximum: 120,
          default: 30,
          description: 'Seconds after the answer in which somebody may pick up; then the agent hangs up.',
        }),
      ),
    },
    'The answer to a machine that asks on somebody\u2019s behalf who calls: these words and no others. Whoever then picks up is talked to from the beginning. Without it the agent talks to the machine as to anybody.',
  ),
};
