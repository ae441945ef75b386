import type { llm } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import type { JsonObject } from '@switchboard/client';
import { at, extra, type Maker } from './maker.ts';

/** A provider that speaks OpenAI's protocol at its own address. */
interface Compatible {
  baseUrl: string;
  /** Where it differs: without `max_completion_tokens`, or refusing a field that the library sends. */
  limit?: 'max_tokens';
  refused?: readonly string[];
}

/**
 * Addresses are those of the OpenAI plugin (1.8.1), and for Mistral and OpenRouter those that public projects use.
 * Mistral's published request refuses unknown fields.
 */
export const COMPATIBLE: Readonly<Record<string, Compatible>> = {
  groq: { baseUrl: 'https://api.groq.com/openai/v1' },
  mistral: { baseUrl: 'https://api.mistral.ai/v1', limit: 'max_tokens', refused: ['stream_options'] },
  together: { baseUrl: 'https://api.together.xyz/v1', limit: 'max_tokens' },
  fireworks: { baseUrl: 'https://api.fireworks.ai/inference/v1', limit: 'max_tokens' },
  cerebras: { baseUrl: 'https://api.cerebras.ai/v1' },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1', limit: 'max_tokens' },
  xai: { baseUrl: 'https://api.x.ai/v1' },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', limit: 'max_tokens' },
};

/** Azure has OpenAI's protocol below the address of a resource; the model is the name of a deployment. */
export const AZURE_PATH = '/openai/v1';

type Chat = Parameters<openai.LLM['chat']>[0];

/** The plugin's model, with the fields of a request as this provider has them. */
class CompatibleLlm extends openai.LLM {
  readonly #fields: JsonObject;

  constructor(options: ConstructorParameters<typeof openai.LLM>[0], fields: JsonObject) {
    super(options);
    this.#fields = fields;
  }

  override chat(options: Chat): openai.LLMStream {
    return super.chat({ ...options, extraKwargs: { ...this.#fields, ...options.extraKwargs } });
  }
}

function maker(name: string, { baseUrl: ownUrl, limit, refused = [] }: Compatible): Maker<llm.LLM> {
  return (section, { apiKey, baseUrl = ownUrl }) => {
    const { model, temperature, maxTokens } = section;
    // Their models come and go, so none is a default.
    if (model === undefined) throw new Error(`The agent's config is wrong: llm.model must be set for ${name}`);
    const options = {
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && limit === undefined && { maxCompletionTokens: maxTokens }),
    };
    const fields = {
      ...(maxTokens !== undefined && limit !== undefined && { [limit]: maxTokens }),
      // The plugin's own value gives way to one that JSON leaves out.
      ...Object.fromEntries(refused.map((field) => [field, undefined])),
    };
    return new CompatibleLlm({ ...extra(section), ...options, model, apiKey, ...at(baseUrl) }, fields);
  };
}

/** The makers of all of them; Azure's address comes with the access. */
export function compatibleLlms(): Record<string, Maker<llm.LLM>> {
  return Object.fromEntries(
    Object.entries({ ...COMPATIBLE, azure: { baseUrl: '' } }).map(([name, one]) => [name, maker(name, one)]),
  );
}
