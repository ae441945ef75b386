import { type Static, type TSchema, Type } from 'typebox';

/** The version of the format; a file may name it as `format`. */
export const FORMAT = 'switchboard.scenario/1';
/** Characters of one scenario. */
export const MAX_SCENARIO_LENGTH = 32_768;
const MAX_WORDS = 4_000;
const MAX_STEPS = 200;
const MAX_EXPECTATIONS = 100;
export const MAX_RUNS = 100;
/** The longest that a virtual clock is moved at once. An hour. */
const MAX_MS = 3_600_000;
/** The longest that a phone rings: the bridge gives up after 80 s. */
export const MAX_RING_MS = 60_000;

const strict = { additionalProperties: false };
const object = <T extends Record<string, TSchema>>(fields: T, description?: string) =>
  Type.Object(fields, { ...strict, ...(description && { description }) });
const milliseconds = (description: string) => Type.Integer({ minimum: 0, maximum: MAX_MS, description });
const words = (description: string) => Type.String({ minLength: 1, maxLength: MAX_WORDS, description });
const Fields = Type.Record(Type.String(), Type.Unknown());
const ModelFields = Type.Record(Type.String(), Type.Unknown(), {
  description: "The language model, as in an agent's `config.llm`; without it the agent's own.",
});
const ToolName = '^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$';

const Step = object(
  {
    say: Type.Optional(words('The caller says this.')),
    interrupt: Type.Optional(words('The caller says this while the agent still speaks.')),
    after_ms: Type.Optional(milliseconds('How long the caller waits before this step.')),
    dtmf: Type.Optional(Type.String({ pattern: '^[0-9*#A-D]{1,32}$', description: 'Keys that the caller presses.' })),
    hang_up: Type.Optional(Type.Literal(true, { description: 'The caller hangs up.' })),
  },
  'One thing that the caller does.',
);

const Persona = object(
  {
    goal: words('What the caller wants.'),
    facts: Type.Optional(Fields),
    manner: Type.Optional(words('How the caller talks, for example: impatient.')),
    max_turns: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_STEPS, default: 20 })),
    model: Type.Optional(ModelFields),
  },
  'A caller whose words a language model chooses.',
);

const PatchOperation = object({
  op: Type.Enum(['add', 'remove', 'replace', 'move', 'copy', 'test'], { type: 'string' }),
  path: Type.String(),
  from: Type.Optional(Type.String()),
  value: Type.Optional(Type.Unknown()),
});

const outcome = {
  when: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Arguments that a call must have for this to apply.' }),
  ),
  on_call: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Applies to this call of the tool only: 2 is the second one.' }),
  ),
  patch: Type.Optional(Type.Array(PatchOperation, { description: 'A JSON Patch that changes the world.' })),
  return: Type.Optional(Type.Unknown({ description: 'What the tool answers, as JSON.' })),
  text: Type.Optional(Type.String({ description: 'What the tool answers, to the letter: for example broken JSON.' })),
  status: Type.Optional(
    Type.Integer({ minimum: 100, maximum: 599, description: 'The HTTP status of the answer; from 300 on it fails.' }),
  ),
  after_ms: Type.Optional(milliseconds('How long the answer takes.')),
  time_out: Type.Optional(Type.Literal(true, { description: 'The tool does not answer in time.' })),
};
const Outcome = object(outcome);
const StandIn = object({ ...outcome, else: Type.Optional(Outcome) }, 'What a tool does instead of calling anybody.');

/** A kind of noise, and the distance of speech from it. */
const NOISE = '^(white|pink|street)@(-?\\d{1,2})dB$';
const LOSS =
  "Percent of the packets of the caller's sound that are lost, in bursts; in a room the agent hears silence instead.";
const Line = object(
  {
    answered_by: Type.Optional(Type.Enum(['human', 'voicemail', 'ivr', 'fax'], { type: 'string', default: 'human' })),
    ring_ms: Type.Optional(milliseconds('How long the phone rings.')),
    noise: Type.Optional(
      Type.String({
        pattern: NOISE,
        description:
          'Background noise, `white`, `pink` or `street`, and how far it is below the speech, for example `street@15dB`.',
      }),
    ),
    loss: Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: LOSS })),
  },
  'The line of an audio or phone run.',
);

const Said = Type.Union([
  words('Words that must occur; upper and lower case are the same.'),
  object({ pattern: Type.String({ minLength: 1, maxLength: 500 }) }, 'A regular expression, case-insensitive.'),
]);
const Moment = object({
  tool: Type.Optional(Type.String({ pattern: ToolName })),
  agent_says: Type.Optional(Said),
  caller_says: Type.Optional(Said),
});

/** Each has exactly one of these fields, except for those that belong to `tool` and `judge`. */
const Expectation = object({
  tool: Type.Optional(Type.String({ pattern: ToolName, description: 'The agent calls this tool.' })),
  args: Type.Optional(Fields),
  times: Type.Optional(Type.Integer({ minimum: 0, description: 'Exactly so often; without it, at least once.' })),
  agent_says: Type.Optional(Said),
  agent_never_says: Type.Optional(Said),
  world: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'What the world has in the end.' })),
  call: Type.Optional(
    object(
      {
        end_reason: Type.Optional(
          Type.Enum(['caller_hung_up', 'agent_hung_up', 'transferred', 'script_over', 'failed'], { type: 'string' }),
        ),
        transfers: Type.Optional(Type.Integer({ minimum: 0 })),
        opted_out: Type.Optional(
          Type.Boolean({ description: 'Whether the agent has taken it that somebody wants no more calls.' }),
        ),
        max_turns: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      'How the call ends.',
    ),
  ),
  timeline: Type.Optional(Type.Array(Moment, { minItems: 2, description: 'These happen, in this order.' })),
  latency: Type.Optional(
    object({
      first_word_p95_ms: Type.Optional(milliseconds('Until the first word, in text.')),
      first_audio_p95_ms: Type.Optional(milliseconds('Until the first sound, in audio and phone runs.')),
    }),
  ),
  cost: Type.Optional(object({ max: Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,12})?$' }) })),
  judge: Type.Optional(words('A claim about the conversation that a language model decides.')),
  votes: Type.Optional(Type.Integer({ minimum: 1, maximum: 9, default: 1, description: 'The majority decides.' })),
  model: Type.Optional(ModelFields),
});

/** A conversation with an agent, and what must be true of it. */
export const Scenario = Type.Object(
  {
    scenario: Type.String({ minLength: 1, maxLength: 200, description: 'Its name.' }),
    format: Type.Optional(Type.Literal(FORMAT)),
    agent: Type.Optional(
      object({
        key: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        id: Type.Optional(Type.String({ format: 'uuid' })),
        version: Type.Optional(Type.Union([Type.Literal('draft'), Type.Integer({ minimum: 1 })])),
      }),
    ),
    mode: Type.Optional(
      Type.Enum(['text', 'audio', 'phone'], {
        type: 'string',
        default: 'text',
        description: 'In writing, by voice in a room, or by voice on a phone that the SIP bridge calls.',
      }),
    ),
    critical: Type.Optional(
      Type.Boolean({ default: false, description: 'One failed run of it means that the agent has regressed.' }),
    ),
    clock: Type.Optional(
      Type.String({ format: 'date-time', description: 'The time at which the conversation begins.' }),
    ),
    variables: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
    caller: object({
      script: Type.Optional(Type.Array(Step, { minItems: 1, maxItems: MAX_STEPS })),
      persona: Type.Optional(Persona),
      voice: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description:
            "The caller's voice in audio and phone runs, as in an agent's `config.tts`; without it the agent's own.",
        }),
      ),
    }),
    line: Type.Optional(Line),
    world: Type.Optional(Fields),
    tools: Type.Optional(Type.Record(Type.String(), Type.Union([StandIn, Type.Array(StandIn, { minItems: 1 })]))),
    expect: Type.Array(Expectation, { minItems: 1, maxItems: MAX_EXPECTATIONS }),
    runs: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RUNS, default: 1 })),
  },
  { ...strict, title: 'Scenario' },
);

export type Scenario = Static<typeof Scenario>;
export type Step = Static<typeof Step>;
export type StandIn = Static<typeof StandIn>;
export type Outcome = Static<typeof Outcome>;
export type Expectation = Static<typeof Expectation>;
export type Moment = Static<typeof Moment>;
export type Said = Static<typeof Said>;
