import { type APIConnectOptions, type llm, stt, type tts, type voice } from '@livekit/agents';
import type { FailedOver } from '@switchboard/client';
import type { Detector } from './answerer.ts';
import type { ConversationConfig, ModelConfig, ModelConfigs } from './config.ts';
import { FallbackLlm } from './fallback/llm.ts';
import { once } from './fallback/order.ts';
import { FallbackRealtime } from './fallback/realtime.ts';
import { FallbackStt } from './fallback/stt.ts';
import { FallbackTts } from './fallback/tts.ts';
import { AZURE_PATH } from './models/compatible.ts';
import { LLM } from './models/llm.ts';
import { LocalLlm } from './models/local.ts';
import type { Access, Clock, Maker } from './models/maker.ts';
import { REALTIME } from './models/realtime.ts';
import { STT } from './models/stt.ts';
import { TTS } from './models/tts.ts';
import { keyVariable } from './providers.ts';
import { createSpeechDetector } from './speech-detector.ts';
import { actionOf } from './voicemail.ts';

export type Models = Pick<voice.AgentSessionOptions, 'stt' | 'llm' | 'tts'>;

/** Models and keys that agents may use, from the worker's environment. */
export interface ModelSettings {
  /** Keys by provider. */
  keys: Readonly<Record<string, string | null>>;
  /** Allowed values of `base_url`, each with its key. */
  baseUrls: ReadonlyMap<string, string | null>;
  /** The address of a resource at Azure, which is a customer's own. */
  azureEndpoint?: string | null;
  /** The time of a test, for rules that tell it. */
  clock?: Clock;
}

/** The worker has no key for a provider. */
export class MissingKey extends Error {}

/** The models of an agent. Throws if one is unknown, has no key, or has a `base_url` that is not allowed. */
export function createModels(
  config: ConversationConfig,
  settings: ModelSettings,
  report: (failedOver: FailedOver) => void = () => {},
): Models {
  const policy = (kind: FailedOver['kind']) => ({ ...config.failOver, kind, report });
  if (config.realtime) {
    const speakers = makeEach('realtime', REALTIME, config.realtime, settings, once(config.failOver.firstTokenMs));
    return { llm: speakers.length > 1 ? new FallbackRealtime(speakers, policy('realtime')) : speakers[0] };
  }
  const listeners = makeEach('stt', STT, config.stt, settings);
  const voices = makeEach('tts', TTS, config.tts, settings);
  return {
    stt: listeners.length > 1 ? new FallbackStt(listeners, policy('stt'), createSpeechDetector()) : listeners[0],
    llm: createLanguageModel(config, settings, report),
    tts: voices.length > 1 ? new FallbackTts(voices, policy('tts')) : voices[0],
  };
}

/** The language model alone, for an agent that writes. Throws as `createModels` does. */
export function createLanguageModel(
  config: ConversationConfig,
  settings: ModelSettings,
  report: (failedOver: FailedOver) => void,
): llm.LLM {
  const thinkers = makeEach('llm', LLM, config.llm, settings);
  return thinkers.length > 1 ? new FallbackLlm(thinkers, { ...config.failOver, kind: 'llm', report }) : thinkers[0];
}

/**
 * The models that find out who has answered, where they are not those of the conversation; none where nobody finds out.
 * A realtime model cannot tell: in its place the rules decide, by its own transcript unless there is a recognizer.
 * Throws as `createModels` does.
 */
export function createDetector(config: ConversationConfig, settings: ModelSettings, isOutbound: boolean): Detector {
  if (!isOutbound || !actionOf(config)) return {};
  const { voicemail, realtime } = config;
  const heard = voicemail?.stt && make('voicemail.stt', voicemail.stt, STT, settings);
  const thinker = voicemail?.llm && make('voicemail.llm', voicemail.llm, LLM, settings);
  const llm = thinker ?? (realtime ? new LocalLlm() : null);
  return {
    ...(heard && { stt: heard.capabilities.streaming ? heard : new stt.StreamAdapter(heard, createSpeechDetector()) }),
    ...(llm && { llm }),
  };
}

/** One model of a kind. Throws as `createModels` does. */
export const createModel = {
  stt: (section: ModelConfig, settings: ModelSettings): stt.STT => make('stt', section, STT, settings),
  llm: (section: ModelConfig, settings: ModelSettings): llm.LLM => make('llm', section, LLM, settings),
  tts: (section: ModelConfig, settings: ModelSettings): tts.TTS => make('tts', section, TTS, settings),
  realtime: (section: ModelConfig, settings: ModelSettings): llm.RealtimeModel =>
    make('realtime', section, REALTIME, settings),
};

function makeEach<T>(
  kind: FailedOver['kind'],
  makers: Record<string, Maker<T>>,
  [first, ...others]: ModelConfigs,
  settings: ModelSettings,
  connOptions?: APIConnectOptions,
): [T, ...T[]] {
  const isList = others.length > 0;
  const place = (index: number) => (isList ? `${kind}.${index}` : kind);
  return [
    make(place(0), first, makers, settings, isList ? connOptions : undefined),
    ...others.map((section, index) => make(place(index + 1), section, makers, settings, connOptions)),
  ];
}

function make<T>(
  kind: string,
  section: ModelConfig,
  makers: Record<string, Maker<T>>,
  settings: ModelSettings,
  connOptions?: APIConnectOptions,
): T {
  const maker = makers[section.provider];
  if (!maker)
    throw new Error(
      `The agent's config is wrong: ${kind}.provider must be one of ${Object.keys(makers).join(', ')}; it is ${JSON.stringify(section.provider)}`,
    );
  const { clock } = settings;
  return maker(section, {
    ...access(kind, section, settings),
    ...(clock && { clock }),
    ...(connOptions && { connOptions }),
  });
}

/** The gateway uses the credentials of the media server, which its constructor reads itself; the rules ask nobody. */
const KEYLESS: readonly string[] = ['livekit', 'local'];
const AZURE = 'azure';

/**
 * A key is sent only to its provider's own address, or to one that the operator has listed: otherwise anyone who can
 * edit an agent's config could have it sent to their own server.
 */
function access(kind: string, { provider, baseUrl }: ModelConfig, settings: ModelSettings): Access {
  const { keys, baseUrls, azureEndpoint } = settings;
  if (baseUrl !== undefined) {
    if (!baseUrls.has(baseUrl)) throw new Error(`${kind}.base_url ${baseUrl} is not listed in MODEL_BASE_URLS`);
    return { baseUrl, apiKey: baseUrls.get(baseUrl) ?? 'none' };
  }
  const apiKey = keys[provider] ?? null;
  if (apiKey === null && !KEYLESS.includes(provider))
    throw new MissingKey(`${kind} needs a key: set ${keyVariable(provider)} in the worker's environment`);
  if (provider !== AZURE) return { baseUrl, apiKey: apiKey ?? '' };
  if (!azureEndpoint)
    throw new Error(`${kind} needs an address: set AZURE_OPENAI_ENDPOINT in the worker's environment`);
  return { baseUrl: `${azureEndpoint}${AZURE_PATH}`, apiKey: apiKey ?? '' };
}
