import { inference, type llm } from '@livekit/agents';
import * as google from '@livekit/agents-plugin-google';
import * as openai from '@livekit/agents-plugin-openai';
import { AnthropicLlm } from './anthropic.ts';
import { compatibleLlms } from './compatible.ts';
import { httpAt } from './google.ts';
import { LocalLlm } from './local.ts';
import { at, extra, type Maker } from './maker.ts';

/** Anthropic requires a limit: more than is ever spoken in one answer. */
const MAX_TOKENS = 4_096;

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
  anthropic: (section, { apiKey, baseUrl }) => {
    const { model = 'claude-haiku-5-5', maxTokens = MAX_TOKENS } = section;
    return new AnthropicLlm({ model, apiKey, baseURL: baseUrl, maxTokens, fields: extra(section) });
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
  local: (_section, { clock }) => new LocalLlm(clock),
};
