/** Providers that need a key of their own. */
export const KEYED = [
  'openai',
  'google',
  'anthropic',
  'azure',
  'groq',
  'mistral',
  'together',
  'fireworks',
  'cerebras',
  'deepseek',
  'xai',
  'openrouter',
  'deepgram',
  'elevenlabs',
  'cartesia',
  'assemblyai',
];

/** The variable of the worker's environment that holds the key of a provider. */
export function keyVariable(provider: string): string {
  return provider === 'azure' ? 'AZURE_OPENAI_API_KEY' : `${provider.toUpperCase()}_API_KEY`;
}

/** Providers by the end of their host: plugins name some providers by the host of their API. */
const BY_HOST: Record<string, string> = {
  'amazonaws.com': 'aws',
  'anthropic.com': 'anthropic',
  'assemblyai.com': 'assemblyai',
  'azure.com': 'azure',
  'cartesia.ai': 'cartesia',
  'cerebras.ai': 'cerebras',
  'deepgram.com': 'deepgram',
  'deepseek.com': 'deepseek',
  'elevenlabs.io': 'elevenlabs',
  'fireworks.ai': 'fireworks',
  'googleapis.com': 'google',
  'groq.com': 'groq',
  'mistral.ai': 'mistral',
  'nvidia.com': 'nvidia',
  'openai.com': 'openai',
  'openrouter.ai': 'openrouter',
  'perplexity.ai': 'perplexity',
  'together.xyz': 'together',
  'x.ai': 'xai',
};

/** Names that a plugin gives to its provider. */
const BY_NAME: Record<string, string> = { gemini: 'google', 'vertex-ai': 'google' };

/**
 * The name of a provider in prices and reports, however its plugin names it: `openai` for `api.openai.com` or
 * `OpenAI`, `deepgram` for `Deepgram`, `local` for this machine. An unknown host is kept, in lower
 * case.
 */
export function providerName(said: string | undefined): string {
  const name = (said ?? '').trim().toLowerCase().replaceAll(/\s+/g, '-');
  const address = name.replace(/^\w+:\/\//, '').replace(/\/.*$/, '');
  const called = BY_NAME[name];
  if (called) return called;
  if (/^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(address)) return 'local';
  const host = address.replace(/:.*$/, '');
  const known = Object.keys(BY_HOST).find((end) => host === end || host.endsWith(`.${end}`));
  return (known && BY_HOST[known]) || name || 'unknown';
}
