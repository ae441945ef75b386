import { inference, type llm, type stt, type tts, type voice } from '@livekit/agents';
import * as cartesia from '@livekit/agents-plugin-cartesia';
import * as deepgram from '@livekit/agents-plugin-deepgram';
import * as elevenlabs from '@livekit/agents-plugin-elevenlabs';
import * as openai from '@livekit/agents-plugin-openai';
import type { ConversationConfig, ModelConfig, Section } from './config.ts';

export type Models = Pick<voice.AgentSessionOptions, 'stt' | 'llm' | 'tts'>;

/** Models and keys that agents may use, from the worker's environment. */
export interface ModelSettings {
  /** Keys by provider. */
  keys: Readonly<Record<string, string | null>>;
  /** Allowed values of `base_url`, each with its key. */
  baseUrls: ReadonlyMap<string, string | null>;
}

/** The models of an agent. Throws if one is unknown, has no key, or has a `base_url` that is not allowed. */
export function createModels(config: ConversationConfig, settings: ModelSettings): Models {
  const make = <T>(kind: string, section: ModelConfig, makers: Record<string, Maker<T>>): T => {
    const maker = makers[section.provider];
    if (!maker)
      throw new Error(
        `The agent's config is wrong: ${kind}.provider must be one of ${Object.keys(makers).join(', ')}; it is ${JSON.stringify(section.provider)}`,
      );
    return maker(section, access(kind, section, settings));
  };
  if (config.realtime) return { llm: make('realtime', config.realtime, REALTIME) };
  return {
    stt: make('stt', config.stt, STT),
    llm: make('llm', config.llm, LLM),
    tts: make('tts', config.tts, TTS),
  };
}

interface Access {
  apiKey: string;
  baseUrl: string | undefined;
}
type Maker<T> = (section: ModelConfig, access: Access) => T;

/** The gateway uses the credentials of the media server, which its constructor reads itself. */
const GATEWAY = 'livekit';

/**
 * A key is sent only to its provider's own address, or to one that the operator has listed: otherwise anyone who can
 * edit an agent's config could have it sent to their own server.
 */
function access(kind: string, { provider, baseUrl }: ModelConfig, { keys, baseUrls }: ModelSettings): Access {
  if (baseUrl !== undefined) {
    if (!baseUrls.has(baseUrl)) throw new Error(`${kind}.base_url ${baseUrl} is not listed in MODEL_BASE_URLS`);
    return { baseUrl, apiKey: baseUrls.get(baseUrl) ?? 'none' };
  }
  const apiKey = keys[provider] ?? null;
  if (apiKey === null && provider !== GATEWAY)
    throw new Error(`${kind} needs a key: set ${provider.toUpperCase()}_API_KEY in the worker's environment`);
  return { baseUrl, apiKey: apiKey ?? '' };
}

const STT: Record<string, Maker<stt.STT>> = {
  openai: (section, { apiKey, baseUrl }) => {
    // Compatible servers have the endpoint for files, but few have the one for streams.
    const { model = 'gpt-4o-mini-transcribe', language } = section;
    const heard = language === undefined ? { detectLanguage: true } : { language };
    return new openai.STT({ useRealtime: false, ...extra(section), ...heard, model, apiKey, ...at(baseUrl) });
  },
  deepgram: (section, { apiKey, baseUrl }) => {
    const { model = 'nova-3', language = 'multi' } = section;
    const address = baseUrl && { baseUrl: baseUrl.replace(/^http/, 'ws') };
    return new deepgram.STT({ ...extra(section), model, language, apiKey, ...address });
  },
  elevenlabs: (section, { apiKey, baseUrl }) => {
    const { model = 'scribe_v2_realtime', language } = section;
    const languageCode = language === undefined ? {} : { languageCode: language };
    return new elevenlabs.STT({ ...extra(section), ...languageCode, model, apiKey, ...at(baseUrl) });
  },
  cartesia: (section, { apiKey, baseUrl }) => {
    // The plugin has one model for English and one for other languages.
    const { model, language = 'en' } = section;
    return new cartesia.STT({
      ...extra(section),
      ...(model && { model }),
      language,
      apiKey,
      ...(baseUrl && { baseUrl }),
    });
  },
  livekit: (section, { baseUrl }) => {
    const { model = 'deepgram/nova-3', language, options } = section;
    return new inference.STT({ model, ...(language && { language }), modelOptions: options, ...at(baseUrl) });
  },
};

const LLM: Record<string, Maker<llm.LLM>> = {
  openai: (section, { apiKey, baseUrl }) => {
    const { model = 'gpt-4.1-mini', temperature, maxTokens } = section;
    const limits = {
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxCompletionTokens: maxTokens }),
    };
    return new openai.LLM({ ...extra(section), ...limits, model, apiKey, ...at(baseUrl) });
  },
  livekit: (section, { baseUrl }) => {
    const { model = 'openai/gpt-4.1-mini', temperature, maxTokens, options } = section;
    const modelOptions = {
      ...options,
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    };
    return new inference.LLM({ model, modelOptions, ...at(baseUrl) });
  },
};

/** Names of the speed option of the gateway's models; the others have a fixed speed. */
const GATEWAY_SPEEDS: Record<string, string> = {
  cartesia: 'speed',
  xai: 'speed',
  fishaudio: 'speed',
  inworld: 'speaking_rate',
};

const TTS: Record<string, Maker<tts.TTS>> = {
  openai: (section, { apiKey, baseUrl }) => {
    const { model = 'gpt-4o-mini-tts', voice = 'alloy', speed = 1 } = section;
    return new openai.TTS({ ...extra(section), model, voice: voice as 'alloy', speed, apiKey, ...at(baseUrl) });
  },
  elevenlabs: (section, { apiKey, baseUrl }) => {
    const { model = 'eleven_flash_v2_5', voice, language, speed, options } = section;
    // The agent's settings may be partial: the provider has defaults for the rest.
    const own = options.voiceSettings ?? (options.voice as { settings?: unknown } | undefined)?.settings;
    const voiceSettings = { ...(own as elevenlabs.VoiceSettings), ...(speed !== undefined && { speed }) };
    const spoken = {
      ...(voice && { voiceId: voice }),
      ...(language && { language }),
      // Without any, the settings stored with the voice apply.
      ...(Object.keys(voiceSettings).length > 0 && { voiceSettings }),
    };
    return new elevenlabs.TTS({ ...extra(section), ...spoken, model, apiKey, ...at(baseUrl) });
  },
  cartesia: (section, { apiKey, baseUrl }) => {
    const { model = 'sonic-3', voice, language, speed } = section;
    const spoken = { ...(voice && { voice }), ...(language && { language }), ...(speed !== undefined && { speed }) };
    return new cartesia.TTS({ ...extra(section), ...spoken, model, apiKey, ...(baseUrl && { baseUrl }) });
  },
  deepgram: (section, { apiKey, baseUrl }) => {
    // Deepgram's voices are models.
    const model = section.voice ?? section.model ?? 'aura-2-andromeda-en';
    const { speed } = section;
    return new deepgram.TTS({
      ...extra(section),
      model,
      apiKey,
      ...(speed !== undefined && { speed }),
      ...(baseUrl && { baseUrl }),
    });
  },
  livekit: (section, { baseUrl }) => {
    const { model = 'cartesia/sonic-3', voice, language, speed, options } = section;
    const spoken = { ...(voice && { voice }), ...(language && { language }) };
    const speedName = GATEWAY_SPEEDS[model.split('/')[0] ?? ''];
    const modelOptions = { ...options, ...(speed !== undefined && speedName && { [speedName]: speed }) };
    return new inference.TTS({ model, ...spoken, modelOptions, ...at(baseUrl) });
  },
};

const REALTIME: Record<string, Maker<llm.RealtimeModel>> = {
  openai: (section, { apiKey, baseUrl }) => {
    const { model = 'gpt-realtime', voice = 'marin' } = section;
    return new openai.realtime.RealtimeModel({ ...extra(section), model, voice, apiKey, ...at(baseUrl) });
  },
};

const at = (baseURL: string | undefined) => (baseURL === undefined ? {} : { baseURL });

/** A plugin's options, without those that would send a key elsewhere. */
function extra({ options }: ModelConfig): Section {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !/api.?key|secret|url|client|httpsession/i.test(name)),
  );
}
