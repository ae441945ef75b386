import { decimal, type Latency, type ModelKind, type Price } from '@switchboard/client';
import { type AllMeasured, EVENT_TYPES, latencyOf, SPEECH } from './model-latency.ts';

/** Labels of providers; others are shown by their name. */
export const PROVIDERS: Record<string, string> = {
  openai: 'OpenAI, or compatible',
  google: 'Google',
  anthropic: 'Anthropic',
  azure: 'Azure OpenAI',
  groq: 'Groq',
  mistral: 'Mistral',
  together: 'Together AI',
  fireworks: 'Fireworks AI',
  cerebras: 'Cerebras',
  deepseek: 'DeepSeek',
  xai: 'xAI',
  openrouter: 'OpenRouter',
  deepgram: 'Deepgram',
  elevenlabs: 'ElevenLabs',
  cartesia: 'Cartesia',
  assemblyai: 'AssemblyAI',
  livekit: 'LiveKit inference',
  local: 'Rules, without a model',
};

/** Providers of language models. */
export const LLM_PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'azure',
  'groq',
  'mistral',
  'together',
  'fireworks',
  'cerebras',
  'deepseek',
  'xai',
  'openrouter',
  'livekit',
  'local',
] as const;

/** Common models of each provider, beside those in the price book. */
const MODELS: Record<ModelKind, Record<string, string[]>> = {
  stt: {
    openai: ['gpt-4o-mini-transcribe', 'gpt-4o-transcribe'],
    deepgram: ['nova-3', 'nova-2'],
    elevenlabs: ['scribe_v2_realtime'],
    cartesia: ['ink-whisper'],
    groq: ['whisper-large-v3-turbo'],
    assemblyai: ['universal-streaming-english', 'universal-streaming-multilingual', 'universal-3-5-pro'],
    google: ['gemini-3.5-transcribe-live'],
    livekit: ['deepgram/nova-3'],
  },
  llm: {
    openai: ['gpt-4.1-mini', 'gpt-4.1', 'gpt-4o-mini', 'gpt-4o'],
    google: ['gemini-2.5-flash'],
    anthropic: ['claude-haiku-5-5', 'claude-sonnet-5-5'],
    // Names of deployments, which are mostly those of their models.
    azure: ['gpt-4.1-mini', 'gpt-4.1'],
    groq: ['openai/gpt-oss-120b', 'openai/gpt-oss-20b', 'llama-3.3-70b-versatile'],
    mistral: ['mistral-small-latest', 'mistral-medium-latest'],
    xai: ['grok-4-1-fast-non-reasoning', 'grok-4-fast-non-reasoning'],
    livekit: ['openai/gpt-4.1-mini'],
    local: ['rules'],
  },
  tts: {
    openai: ['gpt-4o-mini-tts'],
    elevenlabs: ['eleven_flash_v2_5', 'eleven_multilingual_v2'],
    cartesia: ['sonic-3', 'sonic-2'],
    deepgram: ['aura-2-andromeda-en', 'aura-2-thalia-en'],
    google: ['gemini-3.1-flash-tts-preview', 'gemini-2.5-flash-tts'],
    livekit: ['cartesia/sonic-3'],
  },
  realtime: {
    openai: ['gpt-realtime'],
    google: ['gemini-3.1-flash-live-preview', 'gemini-2.5-flash-native-audio-preview-12-2025'],
  },
};

/** Common models of a provider. */
export const modelNames = (kind: ModelKind, provider: string): string[] => MODELS[kind][provider] ?? [];

/** A minute of a call in which both sides talk half of the time: answers of the agent, and their sizes. */
const ANSWERS = 4;
const CHARACTERS_SPOKEN = 450;
const TOKENS_WRITTEN = 120;
/** Transcript that the model reads before each answer, in a call of some minutes. */
const TOKENS_OF_TRANSCRIPT = 400;
const CHARACTERS_OF_TOKEN = 4;
/** Tokens of half a minute of speech, heard and said, as the providers count them. */
const SPEECH_TOKENS: Record<string, { heard: number; said: number }> = {
  openai: { heard: 300, said: 600 },
  google: { heard: 750, said: 750 },
};

export interface ModelChoice {
  model: string;
  /** Cost of a minute of a call, a decimal; null without a price. */
  minutePrice: string | null;
  /** Time after the end of speech, of the turns with this model; null before the first one. */
  latency: Latency | null;
  /** Whether it is the agent's, and neither common nor in the price book. */
  isOther: boolean;
}

/** Figures that a picker compares models by. */
export interface Measures extends AllMeasured {
  prices: Price[];
  /** Characters that the model reads before each answer. */
  promptLength: number;
  /** The model that the agent has now, by the section. */
  current: string | undefined;
}

/** The models of a provider that the console knows of, with what they cost and how fast they answered. */
export function modelChoices(kind: ModelKind, provider: string, measures: Measures): ModelChoice[] {
  const { current, promptLength } = measures;
  const priced = measures.prices.filter(
    (price) => price.provider === provider && EVENT_TYPES[kind].includes(price.event_type),
  );
  const names = new Set([...(MODELS[kind][provider] ?? []), ...pricedNames(kind, priced)]);
  const isOther = current !== undefined && !names.has(current);
  const isOf = (booked: string | undefined) => booked === provider || (provider === 'openai' && isCompatible(booked));
  return [...names, ...(isOther ? [current] : [])].map((model) => ({
    model,
    isOther: !names.has(model),
    minutePrice: minutePrice(kind, provider, priced, model, promptLength),
    latency: latencyOf(kind, { model, isOf }, measures),
  }));
}

/** Whether a provider in the ledger is none of the console's: a server at a `base_url`, or on the worker's machine. */
const isCompatible = (booked = '') => booked === 'local' || !Object.hasOwn(PROVIDERS, booked);

/** Models in the price book. One with a price for its speech is a speech-to-speech model. */
function pricedNames(kind: ModelKind, prices: Price[]): string[] {
  const names = prices.flatMap(({ model }) => model ?? []);
  const speaking = names.filter((name) => name.endsWith(SPEECH)).map((name) => name.slice(0, -SPEECH.length));
  if (kind === 'realtime') return speaking;
  return names.filter((name) => !name.endsWith(SPEECH) && !speaking.includes(name));
}

/** The price of a minute of a call, from the prices of the provider; null if one is missing. */
function minutePrice(
  kind: ModelKind,
  provider: string,
  prices: Price[],
  model: string,
  promptLength: number,
): string | null {
  const prompt = Math.ceil(promptLength / CHARACTERS_OF_TOKEN);
  if (kind === 'stt') return priceOf(prices, 'stt_minutes', model);
  if (kind === 'tts') return times(priceOf(prices, 'tts_characters', model), CHARACTERS_SPOKEN);
  if (kind === 'llm') return tokenPrice(prices, model, ANSWERS * (prompt + TOKENS_OF_TRANSCRIPT), TOKENS_WRITTEN);
  const tokens = SPEECH_TOKENS[provider];
  const speech = tokens ? tokenPrice(prices, model + SPEECH, tokens.heard, tokens.said) : null;
  const text = tokenPrice(prices, model, ANSWERS * prompt, TOKENS_WRITTEN);
  return speech !== null && text !== null ? decimal.add(speech, text) : null;
}

/** The price of tokens that a model reads and writes; null if one of the two is missing. */
function tokenPrice(prices: Price[], model: string, read: number, written: number): string | null {
  const of = (type: Price['event_type']) => priceOf(prices, type, model) ?? priceOf(prices, 'llm_tokens', model);
  const [input, output] = [times(of('llm_input_tokens'), read), times(of('llm_output_tokens'), written)];
  return input !== null && output !== null ? decimal.add(input, output) : null;
}

const times = (price: string | null, count: number) => price && decimal.multiply(price, String(count));

/** The price of a unit today: that of the model before that of all models, and the latest one. */
function priceOf(prices: Price[], type: Price['event_type'], model: string): string | null {
  const today = new Date().toISOString().slice(0, 10);
  const valid = prices.filter((price) => price.event_type === type && price.valid_from <= today);
  for (const name of [model, null]) {
    const latest = valid
      .filter((price) => price.model === name)
      .sort((a, b) => (a.valid_from < b.valid_from ? 1 : -1))[0];
    if (latest && !latest.is_withdrawn) return latest.price;
  }
  return null;
}
