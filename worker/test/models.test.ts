import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { initializeLogger } from '@livekit/agents';
import { renderVariables } from '@switchboard/client';
import { readConfig } from '../conversation/config.ts';
import { createModels, type ModelSettings } from '../conversation/models.ts';
import { KEYED } from '../conversation/providers.ts';
import { usedBy } from '../conversation/report.ts';
import { createSession } from '../conversation/session.ts';

initializeLogger({ pretty: false, level: 'silent' });

const none: ModelSettings = { keys: {}, baseUrls: new Map() };
const keys = {
  ...Object.fromEntries(KEYED.map((name) => [name, `key-of-${name}`])),
  openai: 'k1',
  deepgram: 'k2',
  elevenlabs: 'k3',
  cartesia: 'k4',
};
const all: ModelSettings = {
  keys,
  baseUrls: new Map([['http://models.example/v1', 'k5']]),
  azureEndpoint: 'https://ours.openai.azure.com',
};
const models = (config: Record<string, unknown>, settings = all) =>
  createModels(readConfig({ config, variables: {} }), settings);

/** Names under which the usage of a config's models is booked. */
function names(config: Record<string, unknown>): string[] {
  const { stt, llm, tts } = models(config);
  return [stt, llm, tts].flatMap((model) => {
    if (model === undefined || typeof model === 'string') return [];
    const metadata = { modelProvider: model.provider, modelName: model.model };
    const counts = { charactersCount: 1, audioDurationMs: 1, ttfbMs: 0, streamed: true, durationMs: 0 };
    const common = { label: '', requestId: '', timestamp: 0, cancelled: false };
    const [used] = usedBy({ ...common, ...counts, type: 'tts_metrics', metadata });
    return `${used?.provider}/${used?.model}`;
  });
}

test('each provider that a config may name becomes its model, and is booked under its name', () => {
  assert.deepEqual(names({}), ['openai/gpt-4o-mini-transcribe', 'openai/gpt-4.1-mini', 'openai/gpt-4o-mini-tts']);
  assert.deepEqual(
    names({
      stt: { provider: 'deepgram', model: 'nova-3', language: 'en-US' },
      llm: { provider: 'openai', model: 'gpt-4o', temperature: 0.2, max_tokens: 100 },
      tts: { provider: 'elevenlabs', model: 'eleven_turbo_v2_5', voice: 'a-voice' },
    }),
    ['deepgram/nova-3', 'openai/gpt-4o', 'elevenlabs/eleven_turbo_v2_5'],
  );
  assert.deepEqual(
    names({
      stt: { provider: 'cartesia', model: 'ink-whisper' },
      tts: { provider: 'cartesia', model: 'sonic-3', voice: 'a-voice', speed: 1.1 },
    }),
    ['cartesia/ink-whisper', 'openai/gpt-4.1-mini', 'cartesia/sonic-3'],
  );
  for (const [language, model] of [
    [undefined, 'ink-2'],
    ['en-GB', 'ink-2'],
    ['pt', 'ink-whisper'],
  ])
    assert.equal(names({ stt: { provider: 'cartesia', language } })[0], `cartesia/${model}`);
  assert.deepEqual(
    names({ stt: { provider: 'elevenlabs' }, tts: { provider: 'deepgram', voice: 'aura-2-thalia-en' } }),
    ['elevenlabs/scribe_v2_realtime', 'openai/gpt-4.1-mini', 'deepgram/aura-2-thalia-en'],
  );
  assert.deepEqual(names({ realtime: { model: 'gpt-realtime' } }), ['openai/gpt-realtime']);
});

test('a provider that speaks OpenAI’s protocol is asked at its own address, and its usage is booked under its name', () => {
  for (const [provider, host] of Object.entries({
    groq: 'api.groq.com',
    mistral: 'api.mistral.ai',
    together: 'api.together.xyz',
    fireworks: 'api.fireworks.ai',
    cerebras: 'api.cerebras.ai',
    deepseek: 'api.deepseek.com',
    xai: 'api.x.ai',
    openrouter: 'openrouter.ai',
    azure: 'ours.openai.azure.com',
  })) {
    const config = { llm: { provider, model: 'some-model' } };
    assert.equal((models(config).llm as { provider: string }).provider, host);
    assert.equal(names(config)[1], `${provider}/some-model`);
    assert.throws(() => models({ llm: { provider } }), new RegExp(`llm.model must be set for ${provider}`));
  }
  assert.equal(names({ stt: { provider: 'groq' } })[0], 'groq/whisper-large-v3-turbo');
});

test('Google’s models are booked as Google’s, whatever its plugin calls them', () => {
  const google = { provider: 'google' };
  assert.deepEqual(names({ stt: google, llm: google, tts: google }), [
    'google/gemini-3.5-transcribe-live',
    'google/gemini-2.5-flash',
    'google/gemini-3.1-flash-tts-preview',
  ]);
  assert.match(names({ realtime: google })[0] ?? '', /^google\/gemini-.*live|^google\/gemini-.*native-audio/);
});

test('Anthropic’s models are asked at its own address, and booked under its name', () => {
  assert.equal(names({ llm: { provider: 'anthropic' } })[1], 'anthropic/claude-haiku-5-5');
});

test('AssemblyAI has a model for English and one for other languages', () => {
  for (const [language, model] of [
    ['en-GB', 'english'],
    ['pt', 'multilingual'],
    [undefined, 'multilingual'],
  ])
    assert.equal(names({ stt: { provider: 'assemblyai', language } })[0], `assemblyai/universal-streaming-${model}`);
});

test('the gateway uses the credentials of the media server', () => {
  Object.assign(process.env, { LIVEKIT_URL: 'ws://127.0.0.1:7880', LIVEKIT_API_KEY: 'k', LIVEKIT_API_SECRET: 's' });
  const gateway = { provider: 'livekit' };
  assert.deepEqual(names({ stt: gateway, llm: gateway, tts: { ...gateway, voice: 'a-voice' } }), [
    'livekit/deepgram/nova-3',
    'livekit/openai/gpt-4.1-mini',
    'livekit/cartesia/sonic-3',
  ]);
});

test('a key goes to its provider, or to an address that the operator has listed', () => {
  const llm = { base_url: 'http://models.example/v1/', model: 'm' };
  assert.ok(models({ llm }).llm);
  assert.throws(() => models({ llm: { base_url: 'http://evil.example/v1' } }), /not listed in MODEL_BASE_URLS/);
  assert.throws(() => models({}, none), /set OPENAI_API_KEY/);
  assert.throws(
    () => models({ tts: { provider: 'cartesia' } }, { ...none, keys: { openai: 'k' } }),
    /CARTESIA_API_KEY/,
  );
  const azure = { llm: { provider: 'azure', model: 'a-deployment' } };
  assert.throws(() => models(azure, { ...none, keys: { ...keys, azure: null } }), /set AZURE_OPENAI_API_KEY/);
  assert.throws(() => models(azure, { ...none, keys }), /set AZURE_OPENAI_ENDPOINT/);
  const { tts } = models({ tts: { options: { baseURL: 'http://evil.example/v1', apiKey: 'theirs' } } });
  assert.equal((tts as { provider: string }).provider, 'api.openai.com');
});

test('turn detection of a config is that of the session', () => {
  const turn_detection = {
    min_endpointing_delay_ms: 321,
    max_endpointing_delay_ms: 4321,
    allow_interruptions: false,
    min_interruption_ms: 765,
  };
  for (const [mode, detector] of [
    [undefined, 'pauses'],
    ['vad', 'pauses'],
    ['stt', 'stt'],
    ['model', 'TurnDetector'],
  ]) {
    const config = readConfig({ config: { turn_detection: { ...turn_detection, mode } }, variables: {} });
    const { turnDetection, endpointing, interruption } = createSession(config, createModels(config, all)).sessionOptions
      .turnHandling as { turnDetection: { model: string } | string; endpointing: object; interruption: object };
    const { name } = turnDetection.constructor;
    const model = typeof turnDetection === 'string' ? turnDetection : turnDetection.model;
    assert.equal(name === 'TurnDetector' ? name : model, detector);
    assert.partialDeepStrictEqual(endpointing, { minDelay: 321, maxDelay: 4321 });
    assert.partialDeepStrictEqual(interruption, { enabled: false, minDuration: 765 });
  }
});

test('README’s config names models that there are', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const config = JSON.parse(/^```json\n(.*?)^```$/ms.exec(readme)?.[1] ?? '');
  assert.deepEqual(names(config), ['deepgram/nova-3', 'openai/gpt-4.1-mini', 'cartesia/sonic-3']);
});

test('all mistakes in a config are reported together', () => {
  assert.throws(
    () => readConfig({ config: { greeting: 1, stt: [], llm: { temperature: 'hot' } }, variables: {} }),
    /greeting must be text; stt must be an object, or a list of objects; llm.temperature must be a number$/,
  );
  assert.throws(() => models({ stt: { provider: 'nobody' } }), /stt.provider must be one of openai, deepgram/);
  assert.throws(
    () => readConfig({ config: { voicemail: { action: 'x' } }, variables: {} }),
    /voicemail.action must be/,
  );
});

test('null is the same as leaving a section out', () => {
  const nothing = { realtime: null, silence: null, voicemail: null, stt: null, tools: null, turn_detection: null };
  assert.deepEqual(readConfig({ config: nothing, variables: {} }), readConfig({ config: {}, variables: {} }));
});

test('variables stand in texts, and one without a value leaves nothing', () => {
  const variables = { name: 'Ada', count: 3, isNew: false };
  assert.equal(
    renderVariables('{{name}} has {{ count }}: {{isNew}}{{missing}}{{toString}}.', variables),
    'Ada has 3: false.',
  );
  const config = {
    greeting: 'Hello {{name}}.',
    instructions: 'Be kind to {{name}}.',
    silence: { message: '{{name}}?' },
  };
  const { greeting, instructions, silence } = readConfig({ config, variables });
  assert.deepEqual([greeting, instructions, silence?.message], ['Hello Ada.', 'Be kind to Ada.', 'Ada?']);
});
