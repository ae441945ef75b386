import type { llm } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import { GoogleLive, httpAt } from './google.ts';
import { at, extra, type Maker } from './maker.ts';

export const REALTIME: Record<string, Maker<llm.RealtimeModel>> = {
  openai: (section, { apiKey, baseUrl }) => {
    const { model = 'gpt-realtime', voice = 'marin' } = section;
    return new openai.realtime.RealtimeModel({ ...extra(section), model, voice, apiKey, ...at(baseUrl) });
  },
  google: (section, { apiKey, baseUrl }) => {
    const { model, voice } = section;
    const spoken = { ...(model && { model }), ...(voice && { voice }) };
    return new GoogleLive({ ...extra(section), ...spoken, apiKey, ...httpAt(baseUrl) });
  },
};
