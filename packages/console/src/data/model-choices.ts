import { decimal, type Latency, type LatencyReport, type Price } from '@switchboard/client';

/** Sections of a configuration that name a model. */
export type ModelKind = 'stt' | 'llm' | 'tts' | 'realtime';

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
    livekit: ['deepgram/nova-3'],
  },
  llm: {
    openai: ['gpt-4.1-mini', 'gpt-4.1', 'gpt-4o-mini', 'gpt-4o'],
    google: ['gemini-2.5-flash'],
    anthropic: ['claude-haiku-5-5', 'claude-sonnet-5-5'],
    livekit: ['openai/gpt-4.1-mini'],
    local: ['rules'],
  },
  tts: {
    openai: ['gpt-4o-mini-tts'],
    elevenlabs: ['eleven_flash_v2_5', 'eleven_multilingual_v2'],
    cartesia: ['sonic-3', 'sonic-2'],
    deepgram: ['aura-2-andromeda-en', 'aura-2-thalia-en'],
    livekit: ['cartesia/sonic-3'],
  },
  realtime: { openai: ['gpt-realtime'] },
};

/** Common models of a provider. */
export const modelNames = (kind: ModelKind, provider: string): string[] => MODELS[kind][provider] ?? [];

/** Voices that a provider knows by name; others have an id. */
export const VOICES: Record<string, string[]> = {
  openai: ['alloy', 'ash', 'ballad', 'cedar', 'coral', 'echo', 'marin', 'nova', 'onyx', 'sage', 'shimmer', 'verse'],
};

const EVENT_TYPES: Record<ModelKind, Price['event_type'][]> = {
  stt: ['stt_minutes'],
  llm: ['llm_tokens', 'llm_input_tokens', 'llm_output_tokens'],
  tts: ['tts_characters'],
  realtime: [],
};

/** A minute of a call in which both sides talk half of the time: answers of the agent, and their sizes. */
const ANSWERS = 4;
const CHARACTERS_SPOKEN = 450;
const TOKENS_WRITTEN = 120;
/** Transcript that the model reads before each answer, in a call of some minutes. */
const TOKENS_OF_TRANSCRIPT = 400;
const CHARACTERS_OF_TOKEN = 4;

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
export interface Measures {
  prices: Price[];
  latency: LatencyReport | null;
  agentId: string;
  /** Characters that the model reads before each answer. */
  promptLength: number;
  /** The model that the agent has now, by the section. */
  current: string | undefined;
  /** Whether the model takes over from others: most turns of the agent are not with it. */
  isLater: boolean;
}

/** The models of a provider that the console knows of, with what they cost and how fast they answered. */
export function modelChoices(kind: ModelKind, provider: string, measures: Measures): ModelChoice[] {
  const priced = measures.prices.filter(
    (price) => price.provider === provider && EVENT_TYPES[kind].includes(price.event_type),
  );
  const names = new Set([...(MODELS[kind][provider] ?? []), ...priced.flatMap(({ model }) => model ?? [])]);
  const isOther = measures.current !== undefined && !names.has(measures.current);
  return [...names, ...(isOther ? [measures.current ?? ''] : [])].map((model) => ({
    model,
    isOther: !names.has(model),
    minutePrice: minutePrice(kind, priced, model, measures.promptLength),
    latency: latencyOf(kind, model, measures),
  }));
}

/** The price of a minute of a call, from the prices of the provider; null if one is missing. */
function minutePrice(kind: ModelKind, prices: Price[], model: string, promptLength: number): string | null {
  const of = (type: Price['event_type']) => priceOf(prices, type, model);
  const read = ANSWERS * (Math.ceil(promptLength / CHARACTERS_OF_TOKEN) + TOKENS_OF_TRANSCRIPT);
  if (kind === 'stt') return of('stt_minutes');
  if (kind === 'tts') return times(of('tts_characters'), CHARACTERS_SPOKEN);
  if (kind === 'realtime') return null;
  const input = times(of('llm_input_tokens') ?? of('llm_tokens'), read);
  const output = times(of('llm_output_tokens') ?? of('llm_tokens'), TOKENS_WRITTEN);
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

const LATENCIES = { stt: 'transcript', llm: 'first_token', tts: 'first_audio', realtime: 'first_audio' } as const;

/**
 * Turns are reported with their language model. Those with other models of the agent are known only while the agent
 * has them.
 */
function latencyOf(kind: ModelKind, model: string, { latency, agentId, current, isLater }: Measures): Latency | null {
  const isByModel = kind === 'llm' || kind === 'realtime';
  if (!isByModel && (isLater || model !== current)) return null;
  const groups =
    latency?.groups.filter((group) => (isByModel ? group.model === model : group.agent_id === agentId)) ?? [];
  // Groups come with most turns first.
  const group = groups.find((one) => one.agent_id === agentId) ?? groups[0];
  return group?.[LATENCIES[kind]] ?? null;
}
