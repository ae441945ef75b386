import { getBaseLanguage, inference, type stt } from '@livekit/agents';
import * as cartesia from '@livekit/agents-plugin-cartesia';
import * as deepgram from '@livekit/agents-plugin-deepgram';
import * as elevenlabs from '@livekit/agents-plugin-elevenlabs';
import * as google from '@livekit/agents-plugin-google';
import * as openai from '@livekit/agents-plugin-openai';
import type { StreamingSpeechModel } from 'assemblyai/streaming';
import { AssemblyAiStt } from './assemblyai.ts';
import { COMPATIBLE } from './compatible.ts';
import { httpAt } from './google.ts';
import { at, extra, type Maker } from './maker.ts';
import { countsAll, countsRest, flushesRest } from './unreported.ts';

export const STT: Record<string, Maker<stt.STT>> = {
  openai: (section, { apiKey, baseUrl }) => {
    // Compatible servers have the endpoint for files, but few have the one for streams.
    const { model = 'gpt-4o-mini-transcribe', language } = section;
    const heard = language === undefined ? { detectLanguage: true } : { language };
    return new openai.STT({ useRealtime: false, ...extra(section), ...heard, model, apiKey, ...at(baseUrl) });
  },
  deepgram: (section, { apiKey, baseUrl }) => {
    const { model = 'nova-3', language = 'multi' } = section;
    const heard = deepgramLanguage(language);
    const address = baseUrl && { baseUrl: baseUrl.replace(/^http/, 'ws') };
    return flushesRest(new deepgram.STT({ ...extra(section), model, language: heard, apiKey, ...address }));
  },
  elevenlabs: (section, { apiKey, baseUrl }) => {
    const { model = 'scribe_v2_realtime', language } = section;
    // Codes of ISO 639, without a region.
    const languageCode = language === undefined ? {} : { languageCode: getBaseLanguage(language) };
    return countsRest(new elevenlabs.STT({ ...extra(section), ...languageCode, model, apiKey, ...at(baseUrl) }));
  },
  cartesia: (section, { apiKey, baseUrl }) => {
    // The plugin has one model for English and one for other languages.
    const { model, language = 'en' } = section;
    return countsRest(
      new cartesia.STT({
        ...extra(section),
        ...(model && { model }),
        language,
        apiKey,
        ...(baseUrl && { baseUrl }),
      }),
    );
  },
  groq: (section, { apiKey, baseUrl = COMPATIBLE.groq?.baseUrl }) => {
    const { model = 'whisper-large-v3-turbo', language } = section;
    const heard = language === undefined ? { detectLanguage: true } : { language };
    return new openai.STT({ ...extra(section), ...heard, useRealtime: false, model, apiKey, ...at(baseUrl) });
  },
  google: (section, { apiKey, baseUrl }) => {
    const { model, language = null } = section;
    return countsAll(
      new google.beta.GeminiSTT({
        ...extra(section),
        ...(model && { model }),
        language,
        apiKey,
        ...httpAt(baseUrl),
      }),
    );
  },
  assemblyai: (section, { apiKey, baseUrl }) => {
    const { language } = section;
    if (baseUrl?.startsWith('http:')) throw new Error('stt.base_url of assemblyai must begin with https');
    const isEnglish = /^en\b/i.test(language ?? '');
    const model = section.model ?? `universal-streaming-${isEnglish ? 'english' : 'multilingual'}`;
    // The older models recognize the language by themselves.
    const languageCodes = language !== undefined && /^(u3|universal-3)/.test(model) && [getBaseLanguage(language)];
    const fields = {
      ...extra(section),
      ...(languageCodes && { languageCodes }),
      ...(baseUrl && { websocketBaseUrl: `${baseUrl.replace(/^http/, 'ws')}/v3/ws` }),
    };
    return new AssemblyAiStt({ apiKey, model: model as StreamingSpeechModel, language, fields });
  },
  livekit: (section, { baseUrl }) => {
    const { model = 'deepgram/nova-3', language, options } = section;
    const heard = language && (model.startsWith('deepgram/') ? deepgramLanguage(language) : language);
    return countsRest(
      new inference.STT({ model, ...(heard && { language: heard }), modelOptions: options, ...at(baseUrl) }),
    );
  },
};

/** Regions that Deepgram has a model for: https://developers.deepgram.com/docs/models-languages-overview. */
const REGIONS =
  /^(en-(US|AU|GB|IN|NZ)|es-(419|LATAM)|fr-CA|hi-Latn|pt-(BR|PT)|de-CH|nl-BE|sv-SE|da-DK|ko-KR|th-TH|zh-(CN|TW|HK|Hans|Hant))$/i;

/** A language by a code that Deepgram lists, with a region only where it has a model for it: `de` for `de-DE`. */
const deepgramLanguage = (language: string) => (REGIONS.test(language) ? language : getBaseLanguage(language));
