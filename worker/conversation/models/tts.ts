import { inference, type tts } from '@livekit/agents';
import * as cartesia from '@livekit/agents-plugin-cartesia';
import * as deepgram from '@livekit/agents-plugin-deepgram';
import * as elevenlabs from '@livekit/agents-plugin-elevenlabs';
import * as openai from '@livekit/agents-plugin-openai';
import { GoogleTts } from './google.ts';
import { at, extra, type Maker } from './maker.ts';

/** Names of the speed option of the gateway's models; the others have a fixed speed. */
const GATEWAY_SPEEDS: Record<string, string> = {
  cartesia: 'speed',
  xai: 'speed',
  fishaudio: 'speed',
  inworld: 'speaking_rate',
};

export const TTS: Record<string, Maker<tts.TTS>> = {
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
  google: (section, { apiKey, baseUrl }) => {
    const { model, voice } = section;
    const spoken = { ...(model && { model }), ...(voice && { voiceName: voice }) };
    return new GoogleTts({ ...extra(section), ...spoken, apiKey }, baseUrl);
  },
  livekit: (section, { baseUrl }) => {
    const { model = 'cartesia/sonic-3', voice, language, speed, options } = section;
    const spoken = { ...(voice && { voice }), ...(language && { language }) };
    const speedName = GATEWAY_SPEEDS[model.split('/')[0] ?? ''];
    const modelOptions = { ...options, ...(speed !== undefined && speedName && { [speedName]: speed }) };
    return new inference.TTS({ model, ...spoken, modelOptions, ...at(baseUrl) });
  },
};
