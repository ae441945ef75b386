import { type TProperties, type TSchema, Type } from 'typebox';

/**
 * A section of a configuration. Other fields are mistakes: plugin-specific ones go into `options`. With a `title` it is
 * a named schema: a generator makes one class of it, and not one for each place where it stands.
 */
export function section<T extends TProperties>(properties: T, description: string, title?: string) {
  return Type.Optional(Type.Object(properties, { additionalProperties: false, description, ...(title && { title }) }));
}

export const URL_PATTERN = '^https?://[^\\s]+$';

const BaseUrl = Type.Optional(
  Type.String({
    pattern: URL_PATTERN,
    maxLength: 2048,
    description: 'An address that speaks the protocol of the provider. The worker decides which ones it may use.',
    examples: ['http://127.0.0.1:11434/v1'],
  }),
);
const Options = Type.Optional(
  Type.Object({}, { additionalProperties: true, description: 'Passed to the plugin of the provider unchanged.' }),
);
const Model = Type.Optional(
  Type.String({ minLength: 1, maxLength: 255, description: 'The model, by the name that the provider gives it.' }),
);
const Voice = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'The voice, by the name or id that the provider gives it.',
  }),
);
export const Language = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    description: 'A BCP 47 language tag.',
    examples: ['en', 'pt-BR'],
  }),
);
const Temperature = Type.Optional(Type.Number({ minimum: 0, maximum: 2 }));

/** Kept for existing configurations. */
const UnusedTemperature = Type.Optional(
  Type.Number({ minimum: 0, maximum: 2, deprecated: true, description: 'Without effect: the provider takes none.' }),
);

const STT = ['openai', 'deepgram', 'elevenlabs', 'cartesia', 'groq', 'google', 'assemblyai', 'livekit'] as const;
/** Speakers of OpenAI's protocol with an address of their own: their models have no default. */
const COMPATIBLE = [
  'azure',
  'groq',
  'mistral',
  'together',
  'fireworks',
  'cerebras',
  'deepseek',
  'xai',
  'openrouter',
] as const;
export const WITHOUT_DEFAULT: readonly string[] = COMPATIBLE;
const LLM = ['openai', 'google', 'anthropic', ...COMPATIBLE, 'livekit', 'local'] as const;
const TTS = ['openai', 'elevenlabs', 'cartesia', 'deepgram', 'google', 'livekit'] as const;
const REALTIME = ['openai', 'google'] as const;

/** Providers by the kind of their models. */
export const PROVIDERS = { stt: STT, llm: LLM, tts: TTS, realtime: REALTIME };

/** The provider of a section. The default is the one whose protocol others implement as well. */
function provider<const T extends readonly string[]>(title: string, values: T) {
  return Type.Optional(
    Type.Enum([...values], {
      type: 'string',
      title,
      default: 'openai',
      description:
        '`openai` with a `base_url` is any server that speaks its protocol; `livekit` is the inference gateway of LiveKit; `local` are rules in the worker that answer from the instructions.',
    }),
  );
}

/** The models that listen, think and speak; each a single one. */
export const SINGLE_MODELS = {
  stt: section(
    { provider: provider('SttProvider', STT), model: Model, language: Language, base_url: BaseUrl, options: Options },
    'Speech recognition.',
    'SttModel',
  ),
  llm: section(
    {
      provider: provider('LlmProvider', LLM),
      model: Model,
      temperature: Temperature,
      max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      base_url: BaseUrl,
      options: Options,
    },
    'The language model.',
    'LlmModel',
  ),
  tts: section(
    {
      provider: provider('TtsProvider', TTS),
      model: Model,
      voice: Voice,
      language: Language,
      speed: Type.Optional(Type.Number({ minimum: 0.25, maximum: 4, description: '1 is the normal speed.' })),
      base_url: BaseUrl,
      options: Options,
    },
    'The voice.',
    'TtsModel',
  ),
  realtime: section(
    {
      provider: provider('RealtimeProvider', REALTIME),
      model: Model,
      voice: Voice,
      temperature: UnusedTemperature,
      base_url: BaseUrl,
      options: Options,
    },
    'A speech-to-speech model. It takes the place of `stt`, `llm` and `tts`.',
    'RealtimeModel',
  ),
};

/** Maximum models of a list. */
export const MAX_MODELS = 4;
/** Sections that may be a list. */
export const LISTS = ['stt', 'llm', 'tts', 'realtime'] as const;

function orList<T extends TSchema>(single: T) {
  const list = Type.Array(single, {
    minItems: 1,
    maxItems: MAX_MODELS,
    description: 'The later ones take over when one fails: `fail_over`.',
  });
  return Type.Optional(Type.Union([single, list]));
}

/** One of each, or a list of those that take over from each other. */
export const MODEL_SECTIONS = {
  stt: orList(SINGLE_MODELS.stt),
  llm: orList(SINGLE_MODELS.llm),
  tts: orList(SINGLE_MODELS.tts),
  realtime: orList(SINGLE_MODELS.realtime),
  fail_over: section(
    {
      on: Type.Optional(
        Type.Array(Type.Enum(['error', 'timeout', 'rate_limit'], { type: 'string', title: 'FailOverReason' }), {
          minItems: 1,
          maxItems: 3,
          description: 'What counts as a failure; by default each of them.',
        }),
      ),
      first_token_ms: Type.Optional(
        Type.Integer({
          minimum: 100,
          maximum: 60_000,
          default: 4_000,
          description: 'The longest wait for the first token, sound or word of a model, and for the next one.',
        }),
      ),
    },
    'When the next model of a list takes over.',
  ),
};
