import { FUNCTION_METHODS } from '@switchboard/client/functions';
import { Type } from 'typebox';
import { FreeObject, TransferType, ValidationError } from '../../http/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import { Language, MODEL_SECTIONS, section, URL_PATTERN } from './model-schema.ts';
import { Privacy } from './privacy-schema.ts';

const PHONE_PATTERN = '^\\+[1-9]\\d{1,14}$';
const MAX_TEXT = 65_536;

function text(description: string) {
  return Type.Optional(Type.String({ maxLength: MAX_TEXT, description }));
}

function milliseconds(maximum: number, description: string) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum, description }));
}

const Destination = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: 'How the model names it.' }),
    phone_number: Type.String({ pattern: PHONE_PATTERN, description: 'In E.164 form.' }),
    description: Type.Optional(Type.String({ maxLength: 1024, description: 'When to transfer to it, for the model.' })),
    type: Type.Optional(TransferType),
  },
  { additionalProperties: false },
);

export const CustomerFunction = Type.Object(
  {
    name: Type.String({ pattern: '^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$' }),
    description: Type.String({ minLength: 1, maxLength: 1024, description: 'What it does, for the model.' }),
    url: Type.String({
      pattern: URL_PATTERN,
      maxLength: 2048,
      description:
        'Receives the arguments, signed in the Standard Webhooks format. `{{name}}` behind the host is the variable or argument of that name, encoded.',
    }),
    method: Type.Optional(
      Type.Enum([...FUNCTION_METHODS], {
        type: 'string',
        title: 'FunctionMethod',
        default: 'POST',
        description: 'With GET and DELETE the arguments are in the query.',
      }),
    ),
    headers: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', maxLength: 2048 },
        maxProperties: 20,
        description: 'Beside those of the signature. `{{name}}` is a variable or argument.',
      }),
    ),
    body: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8192,
        description:
          'JSON in place of `{name, arguments, session_id, agent_id, user_id}`. `{{name}}` is a variable or argument: as JSON, or as text inside quotes.',
      }),
    ),
    parameters: Type.Optional(
      Type.Object(
        { type: Type.Enum(['object']) },
        { additionalProperties: true, description: 'The arguments as a JSON schema of type `object`.' },
      ),
    ),
    timeout_s: Type.Optional(Type.Number({ minimum: 0.1, maximum: 60, default: 10 })),
  },
  { additionalProperties: false },
);

const CollectDigits = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_]{0,47}$',
      description: 'The model calls `collect_<name>`; `{{name}}` in the texts of functions is what was pressed.',
    }),
    description: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'What the caller is to enter, for the model.',
    }),
    max: Type.Optional(Type.Integer({ minimum: 1, maximum: 32, default: 32, description: 'The most keys.' })),
    finish_on: Type.Optional(
      Type.String({ pattern: '^[0-9*#]?$', default: '#', description: 'The key that ends the entry; empty: none.' }),
    ),
    timeout_s: Type.Optional(
      Type.Number({ minimum: 1, maximum: 60, default: 10, description: 'Without another key for so long it ends.' }),
    ),
    sensitive: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Only functions get the keys: not the model, the transcript or a log; the recording is silent.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Tools = section(
  {
    transfer: section(
      { destinations: Type.Array(Destination, { minItems: 1, maxItems: 32 }) },
      'Lets the model transfer the call, to these destinations only. One without a `type` has that of `transfer.type`.',
    ),
    hang_up: Type.Optional(Type.Boolean({ default: false, description: 'Lets the model end the call.' })),
    dtmf: Type.Optional(Type.Boolean({ default: false, description: 'Lets the model send DTMF tones.' })),
    collect_digits: Type.Optional(
      Type.Array(CollectDigits, { maxItems: 16, description: 'Keys that the model has the caller press.' }),
    ),
    functions: Type.Optional(
      Type.Array(CustomerFunction, { maxItems: 64, description: 'Functions of yours, over HTTP.' }),
    ),
  },
  'What the model may do beside talking.',
);

const TurnDetection = section(
  {
    mode: Type.Optional(
      Type.Enum(['vad', 'stt', 'model'], {
        type: 'string',
        title: 'TurnDetectionMode',
        default: 'vad',
        description:
          'What decides that the user has finished: silence, the speech recognition, or a turn detection model.',
      }),
    ),
    min_endpointing_delay_ms: milliseconds(10_000, 'The least wait after the end of speech before the agent answers.'),
    max_endpointing_delay_ms: milliseconds(30_000, 'The longest wait for a user who seems not to have finished.'),
    allow_interruptions: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether the agent stops when the user speaks.' }),
    ),
    min_interruption_ms: milliseconds(10_000, 'Speech that is shorter does not interrupt the agent.'),
  },
  'When the agent answers, and whether it can be interrupted.',
);

/**
 * The part of an agent's `config` that our worker and the console understand. The service stores any object: other
 * workers may read other fields.
 */
export const AgentConfig = Type.Object(
  {
    instructions: text('The system prompt. `{{name}}` is replaced by the variable of the call with that name.'),
    greeting: text('What the agent says first. `{{name}}` is a variable. Without it the agent waits for the user.'),
    language: Language,
    ...MODEL_SECTIONS,
    tools: Tools,
    turn_detection: TurnDetection,
    silence: section(
      {
        timeout_s: Type.Number({
          minimum: 1,
          maximum: 600,
          description: 'Silence of the user after which the agent asks.',
        }),
        message: text('What it asks; `{{name}}` is a variable.'),
        max_prompts: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 10, default: 2, description: 'Then it hangs up.' }),
        ),
      },
      'What the agent does when the user says nothing.',
    ),
    voicemail: section(
      {
        action: Type.Optional(
          Type.Enum(['hang_up', 'leave_message', 'continue'], {
            type: 'string',
            title: 'VoicemailAction',
            default: 'hang_up',
            description: 'What the agent does once a machine has answered. It reports `answered_by: voicemail`.',
          }),
        ),
        message: text('What `leave_message` says; `{{name}}` is a variable.'),
      },
      'Detects answering machines on outbound calls.',
    ),
    recording: section(
      {
        enabled: Type.Optional(Type.Boolean({ default: false, description: 'Whether calls are recorded.' })),
        channels: Type.Optional(
          Type.Enum(['stereo', 'mono'], {
            type: 'string',
            title: 'RecordingChannelsChoice',
            default: 'stereo',
            description: '`stereo`: the agent left, the other side right. `mono`: both together.',
          }),
        ),
        consent: section(
          {
            type: Type.Optional(
              Type.Enum(['none', 'stay_on_line', 'verbal', 'dtmf'], {
                type: 'string',
                title: 'ConsentType',
                default: 'none',
                description:
                  'What has to happen before the first sample is taken. `none`: nothing. `stay_on_line`: the message is said. `verbal`: the message is said, and answered with yes; it needs speech recognition, so not with `realtime`. `dtmf`: the message is said, and 1 is pressed.',
              }),
            ),
            message: text('What is said before; `{{name}}` is a variable. By default a sentence in English.'),
            on_refusal: Type.Optional(
              Type.Enum(['continue_unrecorded', 'end'], {
                type: 'string',
                title: 'OnRefusal',
                default: 'continue_unrecorded',
                description: 'What follows if it is not given, also by silence.',
              }),
            ),
          },
          'Whether and how the other side agrees to be recorded.',
        ),
      },
      'Records the audio of calls (docs/recordings.md).',
    ),
    privacy: Privacy,
    transfer: section(
      { type: Type.Optional(TransferType) },
      'How calls of this agent are transferred; by default by `TRANSFER_TYPE` of the service.',
    ),
  },
  {
    additionalProperties: true,
    description:
      'The configuration of an agent, as workers and consoles understand it. All of it is optional, and other fields are kept.',
    examples: [
      {
        instructions: 'You book appointments for {{clinic}}. Be brief.',
        greeting: 'Hello {{first_name}}, this is {{clinic}}.',
        language: 'en-US',
        stt: { provider: 'deepgram', model: 'nova-3' },
        llm: { provider: 'openai', model: 'gpt-4o-mini', temperature: 0.4 },
        tts: { provider: 'cartesia', model: 'sonic-2', voice: 'a0e99841-438c-4a64-b679-ae501e7d6091' },
        tools: {
          hang_up: true,
          transfer: { destinations: [{ name: 'reception', phone_number: '+15005550100', type: 'WARM' }] },
          functions: [
            {
              name: 'free_slots',
              description: 'Free appointments on a day.',
              url: 'https://example.com/slots',
              parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
              timeout_s: 5,
            },
          ],
        },
        voicemail: { action: 'hang_up' },
      },
    ],
  },
);

/** The same as plain JSON, which the API description names too: `config` itself is any object. */
export const CONFIG_SCHEMA: JsonObject = { title: 'AgentConfig', ...JSON.parse(JSON.stringify(AgentConfig)) };

/** The texts in which `{{name}}` stands for a variable, by path. */
export const TEXTS = [
  ['instructions'],
  ['greeting'],
  ['silence', 'message'],
  ['voicemail', 'message'],
  ['recording', 'consent', 'message'],
] as const;

export const ConfigCheckRequest = Type.Object(
  { config: FreeObject },
  {
    title: 'AgentConfigCheckRequest',
    additionalProperties: false,
    examples: [{ config: { llm: { provider: 'openai', model: 'gpt-4o-mini' } } }],
  },
);

export const ConfigCheck = Type.Object(
  {
    valid: Type.Boolean(),
    problems: Type.Array(ValidationError, {
      description: 'The first 100; empty when `valid`. `loc` begins with `config`.',
    }),
    variables: Type.Array(Type.String(), {
      description: 'The variables used in the texts of the configuration, without duplicates, in alphabetical order.',
    }),
  },
  {
    title: 'AgentConfigCheck',
    examples: [{ valid: true, problems: [], variables: ['clinic', 'first_name'] }],
  },
);

/** The response that contains the schema. */
export const AgentConfigSchema = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  title: 'AgentConfigSchema',
  description: 'The JSON Schema (2020-12) of an agent\u2019s `config`.',
  examples: [{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} }],
});
