import { inference, type llm } from '@livekit/agents';
import * as google from '@livekit/agents-plugin-google';
import * as openai from '@livekit/agents-plugin-openai';
import { compatibleLlms } from './compatible.ts';
import { httpAt } from './google.ts';
import { at, extra, type Maker } from './maker.ts';

export const LLM: Record<string, Maker<llm.LLM>> = {
  openai: (section, { apiKey, baseUrl }) => {
    const { model = 'gpt-4.1-mini', temperature, maxTokens } = section;
    const limits = {
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxCompletionTokens: maxTokens }),
    };
    return new openai.LLM({ ...extra(section), ...limits, model, apiKey, ...at(baseUrl) });
  },
  google: (section, { apiKey, baseUrl }) => {
    const { model = 'gemini-2.5-flash', temperature, maxTokens } = section;
    const limits = {
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    };
    return new google.LLM({ ...extra(section), ...limits, model, apiKey, ...httpAt(baseUrl) });
  },
  ...compatibleLlms(),
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
