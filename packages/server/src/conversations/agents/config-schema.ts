import { Type } from 'typebox';
import { FreeObject, TransferType, ValidationError } from '../../http/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import { ANSWERING } from './answering-schema.ts';
import { Compliance } from './compliance-schema.ts';
import { Language, MODEL_SECTIONS, section } from './model-schema.ts';
import { Privacy } from './privacy-schema.ts';
import { Sounds } from './sound-schema.ts';
import { PHONE_PATTERN, Tools } from './tool-schema.ts';

const MAX_TEXT = 65_536;

function text(description: string) {
  return Type.Optional(Type.String({ maxLength: MAX_TEXT, description }));
}

function milliseconds(maximum: number, description: string) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum, description }));
}

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
    sounds: Sounds,
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
    ...ANSWERING,
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
        pause_on: Type.Optional(
          Type.Array(Type.String({ pattern: '^[a-zA-Z_][a-zA-Z0-9_]{0,63}$' }), {
            maxItems: 50,
            uniqueItems: true,
            description:
              'Names of tools: the recording is silent while one runs. `sensitive_digits`: while sensitive digits are entered, as always.',
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
    extractors: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}(@[1-9][0-9]{0,8})?$' }), {
        maxItems: 8,
        description:
          'What is read out of the transcript of each call (docs/analysis.md): names of extractors. A version of the agent has them with their versions, `outcome@3`; a name alone is the newest.',
      }),
    ),
    report_waits_for_analyses: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the report of a call waits for its analyses.' }),
    ),
    compliance: Compliance,
    inbound: section(
      {
        fallback_number: Type.Optional(
          Type.String({
            pattern: PHONE_PATTERN,
            description: 'Called for a caller whose call no worker takes in time; in E.164 form.',
          }),
        ),
        max_wait_s: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 295,
            description:
              'Seconds that a worker has to take the call. By default, and at most, 5 s less than `AGENT_JOIN_TIMEOUT_S`.',
          }),
        ),
      },
      'Where inbound calls go that no worker takes.',
    ),
    limits: section(
      {
        max_duration_s: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 86_400,
            description:
              'Seconds after which a call is hung up. `MAX_CALL_DURATION_S`, or the call, may make it shorter.',
          }),
        ),
      },
      'Limits on the calls of this agent.',
    ),
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
  ['screening', 'identity'],
  ['screening', 'purpose'],
  ['recording', 'consent', 'message'],
  ['compliance', 'disclosure', 'text'],
  ['compliance', 'opt_out', 'confirm'],
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
