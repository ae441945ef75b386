// Checks every option that the published schema of an agent's `config` offers, with every provider: the plugin's
// request contains it. The providers are a stand-in at the `base_url`; the plugins are the real ones.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, llm, type stt, type tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { WebSocketServer } from 'ws';
import { readConfig } from '../conversation/config.ts';
import { createModels } from '../conversation/models.ts';
import { trustedCertificate } from './certificate.ts';

initializeLogger({ pretty: false, level: 'silent' });
Object.assign(process.env, { LIVEKIT_URL: 'ws://127.0.0.1:9', LIVEKIT_API_KEY: 'k', LIVEKIT_API_SECRET: 's' });

/** URLs, headers, bodies and messages of the requests to each address: plugins retry in the background. */
const asked = new Map<string, string>();
function note(
  request: IncomingMessage,
  text = `${decodeURIComponent(request.url ?? '')} ${JSON.stringify(request.headers)}`,
): void {
  const name = request.url?.split('/')[1] ?? '';
  asked.set(name, `${asked.get(name) ?? ''}\n${text}`);
}
/** Never answers. */
async function listen(request: IncomingMessage): Promise<void> {
  note(request);
  note(request, Buffer.concat(await request.toArray()).toString());
}
async function serve<S extends Server>(server: S): Promise<string> {
  const sockets = new WebSocketServer({ server: server as never });
  sockets.on('connection', (socket, request) => {
    note(request);
    // Without the audio.
    socket.on('message', (message, isBinary) => isBinary || note(request, String(message)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const origin = `http://${await serve(createServer(listen))}`;
/** For an SDK that speaks by TLS alone. */
const secure = `https://${await serve(createTlsServer(trustedCertificate(), listen))}`;

interface Described {
  enum?: string[];
  properties?: Properties;
  anyOf?: Described[];
}
type Properties = Record<string, Described>;
const schema = path.resolve(import.meta.dirname, '../../packages/server/src/conversations/agents/config-schema.ts');
const { AgentConfig } = (await import(schema)) as { AgentConfig: { properties: Properties } };

/** Models that a plugin knows, or requires in order to accept the other options. */
const MODELS: Record<string, string> = {
  'stt deepgram': 'nova-2-general',
  'tts cartesia': 'sonic-3',
  'stt cartesia': 'ink-whisper',
  'stt elevenlabs': 'scribe_v2_realtime',
  'stt assemblyai': 'universal-3-5-pro',
  'tts livekit': 'cartesia/sonic-3',
};
const VALUES: Record<string, unknown> = {
  voice: 'some-voice',
  language: 'pt',
  temperature: 0.37,
  max_tokens: 77,
  speed: 1.25,
};
/** An option of each plugin that is not in the schema, and its form in a request. */
const OPTIONS: Record<string, [options: object, asked: RegExp]> = {
  'stt openai': [{ prompt: 'some-prompt' }, /some-prompt/],
  'stt deepgram': [{ endpointing: 321, profanityFilter: true }, /endpointing=321.*profanity_filter=true/],
  'stt elevenlabs': [{ keyterms: ['some-term'] }, /some-term/],
  'stt cartesia': [{ sampleRate: 8000 }, /8000/],
  'stt assemblyai': [{ keytermsPrompt: ['some-term'] }, /some-term/],
  'stt livekit': [{ some_option: 'some-value' }, /some_option":"some-value/],
  'llm openai': [{ topP: 0.41 }, /top_p":0\.41/],
  'stt groq': [{ prompt: 'some-prompt' }, /some-prompt/],
  'stt google': [{ customVocabulary: ['some-term'] }, /some-term/],
  'llm anthropic': [{ service_tier: 'standard_only' }, /standard_only/],
  'llm google': [{ topP: 0.41 }, /topP":0\.41/],
  ...Object.fromEntries(
    ['azure', 'groq', 'mistral', 'together', 'fireworks', 'cerebras', 'deepseek', 'xai', 'openrouter'].map(
      (name): [string, [object, RegExp]] => [`llm ${name}`, [{ topP: 0.41 }, /top_p":0\.41/]],
    ),
  ),
  'llm livekit': [{ top_p: 0.41 }, /top_p":0\.41/],
  'tts openai': [{ instructions: 'some-manner' }, /some-manner/],
  'tts deepgram': [{ mipOptOut: true }, /mip_opt_out=true/],
  // Here the settings come with the voice: nothing of ours may replace them.
  'tts elevenlabs': [{ voice: { settings: { stability: 0.43, similarity_boost: 0.5 } } }, /stability":0\.43/],
  'tts cartesia': [{ volume: 1.5 }, /volume":1\.5/],
  'tts google': [{ instructions: 'some-manner' }, /some-manner/],
  'tts livekit': [{ volume: 1.5 }, /volume":1\.5/],
  'realtime google': [{ maxOutputTokens: 78 }, /maxOutputTokens":78/],
  'realtime openai': [{ maxResponseOutputTokens: 78 }, /78/],
};
/** Some determine the language by the text, the voice or the model; Deepgram's voices are models. */
const NOT_ASKED = new Set([
  'tts openai language',
  'tts deepgram language',
  'tts deepgram model',
  'stt cartesia language',
  // Version 2026-10-21 of the API has none.
  'llm anthropic temperature',
  'realtime openai temperature',
  'realtime google temperature',
  // Gemini's voices determine the language by the text, and the manner by instructions.
  'tts google language',
  'tts google speed',
]);

const frame = () => new AudioFrame(new Int16Array(16_000), 16_000, 1, 16_000);

/** Makes a model send a request to its provider. */
const USE: Record<string, (model: never) => void> = {
  stt: (model: stt.STT) => {
    if (!model.capabilities.streaming) return void model.recognize([frame()]).catch(() => {});
    const stream = model.stream();
    stream.pushFrame(frame());
    stream.flush();
    read(stream);
  },
  tts: (model: tts.TTS) => {
    if (!model.capabilities.streaming) return read(model.synthesize('Good morning.'));
    const stream = model.stream();
    stream.pushText('Good morning, and welcome to the library. How can I help you?');
    stream.endInput();
    read(stream);
  },
  llm: (model: llm.LLM) => {
    const chatCtx = llm.ChatContext.empty();
    chatCtx.addMessage({ role: 'user', content: 'Hello' });
    read(model.chat({ chatCtx }));
  },
  realtime: (model: llm.RealtimeModel) => {
    model.session().on('error', () => {});
  },
};

/** Reads a stream that never yields. */
function read(stream: AsyncIterable<unknown>): void {
  (async () => {
    for await (const _ of stream);
  })().catch(() => {});
}

/** The schema of one model, of a section that may be a list. */
const single = (section: Described = {}): Described => section.anyOf?.[0] ?? section;

for (const [kind, use] of Object.entries(USE)) {
  const { provider, base_url: _, options: __, ...options } = single(AgentConfig.properties[kind]).properties ?? {};
  for (const name of provider?.enum ?? assert.fail(kind)) {
    // The rules ask nobody.
    if (name === 'local') continue;
    test(`${kind} of ${name} is requested with each option of the schema`, async () => {
      const which = `${kind} ${name}`;
      const [pluginOptions, pluginAsked] = OPTIONS[which] ?? assert.fail(which);
      const values = { ...VALUES, model: MODELS[which] ?? 'some-model' };
      const section = Object.fromEntries(
        Object.keys(options).map((option) => [option, values[option as 'model'] ?? assert.fail(option)]),
      );
      const url = `${name === 'assemblyai' ? secure : origin}/${kind}-${name}/v1`;
      const config = { [kind]: { provider: name, base_url: url, ...section, options: pluginOptions } };
      const keys = { openai: 'k' };
      const settings = { keys, baseUrls: new Map([[url, 'key-of-the-address']]) };
      const { stt, tts, llm: model } = createModels(readConfig({ config, variables: {} }), settings);
      use({ stt, tts, llm: model, realtime: model }[kind] as never);
      const expected = Object.entries(section)
        .filter(([option]) => !NOT_ASKED.has(`${which} ${option}`))
        .map(([option, value]): [string, RegExp] => [option, new RegExp(`(?<![\\w.])${value}(?![\\w.])`)]);
      expected.push(['options', pluginAsked]);
      if (name !== 'livekit') expected.push(['key', /key-of-the-address/]);
      const missing = () =>
        expected.filter(([, pattern]) => !pattern.test(asked.get(`${kind}-${name}`) ?? '')).map(([option]) => option);
      const deadline = Date.now() + 60_000;
      while (missing().length > 0 && Date.now() < deadline) await sleep(20);
      assert.deepEqual(missing(), [], asked.get(`${kind}-${name}`));
    });
  }
}

for (const [model, language, code] of [
  ['deepgram nova-3', 'de-DE', 'de'],
  ['deepgram nova-3', 'es-MX', 'es'],
  ['deepgram nova-3', 'pt-BR', 'pt-BR'],
  ['deepgram nova-3', 'en-US', 'en-US'],
  ['deepgram nova-3', 'hi-Latn', 'hi-Latn'],
  ['elevenlabs scribe_v2_realtime', 'en-US', 'en'],
  ['livekit deepgram/nova-3', 'fr-FR', 'fr'],
] as const)
  test(`${language} is asked of ${model} by a code that it knows`, async () => {
    const [provider, name] = model.split(' ');
    const place = `${provider}-in-${language}`;
    const url = `${origin}/${place}/v1`;
    const section = { provider, model: name, base_url: url };
    const settings = { keys: { openai: 'k' }, baseUrls: new Map([[url, 'key-of-the-address']]) };
    const { stt } = createModels(readConfig({ config: { language, stt: section }, variables: {} }), settings);
    USE.stt?.(stt as never);
    const sent = () => /language(?:_code)?"?[=:]"?([\w-]+)/.exec(asked.get(place) ?? '')?.[1];
    const deadline = Date.now() + 60_000;
    while (sent() === undefined && Date.now() < deadline) await sleep(20);
    assert.equal(sent(), code, asked.get(place));
  });
