// A check of each provider's model, against stand-ins: a key that works, one that is refused, a model that is unknown,
// a provider that is silent or cannot be reached. None of these providers was called with an account.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { initializeLogger } from '@livekit/agents';
import type { ProviderCheckCreate } from '@switchboard/client';
import { checkApart } from '../check/apart.ts';
import { checkModel } from '../check/check.ts';
import { KEYED } from '../conversation/providers.ts';
import { completion, events, type StandIn, startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

const keys = Object.fromEntries(KEYED.map((name) => [name, 'the-key']));
const check = (asked: ProviderCheckCreate, baseUrl?: string, quietMs?: number) => {
  const base_url = baseUrl && { base_url: baseUrl };
  const baseUrls = new Map(baseUrl ? [[baseUrl, 'the-key']] : []);
  return checkModel({ ...asked, ...base_url }, { keys, baseUrls }, quietMs);
};
const says = (response: ServerResponse) => events(response, completion([{ content: 'Yes' }]), '[DONE]');
const refuses = (status: number, message: string) => (response: ServerResponse) =>
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { message, code: status, status: 'X' }, message }));
type Answer = (response: ServerResponse) => unknown;

async function asked(what: ProviderCheckCreate, answer: Answer, path = '/v1') {
  const standIn = await startStandIn({ http: (_, response) => void answer(response) });
  try {
    return { ...(await check(what, `${standIn.origin}${path}`)), requests: standIn.asked };
  } finally {
    standIn.close();
  }
}

const message = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const anthropic: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const usage = { input_tokens: 1, output_tokens: 1 };
  response.write(message('message_start', { message: { id: 'm', role: 'assistant', content: [], usage } }));
  response.write(message('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }));
  response.write(message('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Yes' } }));
  response.end(message('message_stop', {}));
};
const gemini =
  (part: object): Answer =>
  (response) =>
    events(response, [{ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }]);
const SOUND = { mimeType: 'audio/L16;rate=24000', data: Buffer.alloc(24_000).toString('base64') };
const text: Answer = (response) => response.setHeader('content-type', 'application/json').end('{"text":""}');
const sound: Answer = (response) => response.writeHead(200, { 'content-type': 'audio/pcm' }).end(Buffer.alloc(24_000));

const COMPATIBLE = ['groq', 'mistral', 'together', 'fireworks', 'cerebras', 'deepseek', 'xai', 'openrouter', 'azure'];
const HTTP: [ProviderCheckCreate, Answer][] = [
  ...['openai', ...COMPATIBLE].map((provider): [ProviderCheckCreate, Answer] => [
    { kind: 'llm', provider, model: 'm' },
    says,
  ]),
  [{ kind: 'llm', provider: 'anthropic' }, anthropic],
  [{ kind: 'llm', provider: 'google' }, gemini({ text: 'Yes' })],
  [{ kind: 'tts', provider: 'google' }, gemini({ inlineData: SOUND })],
  [{ kind: 'tts', provider: 'openai' }, sound],
  [{ kind: 'stt', provider: 'openai' }, text],
  [{ kind: 'stt', provider: 'groq' }, text],
];

for (const [what, answer] of HTTP)
  test(`${what.kind} of ${what.provider}: a key that works, one that is refused, and an unknown model`, async () => {
    const { outcome, reason, latency_ms, requests } = await asked(what, answer);
    assert.deepEqual([outcome, reason, requests.length], ['ok', null, 1]);
    assert.ok(latency_ms !== null && latency_ms >= 0);
    const refused = await asked(what, refuses(401, 'Incorrect API key provided: the-key.'));
    assert.deepEqual([refused.outcome, refused.reason, refused.latency_ms], ['failed', 'refused_key', null]);
    assert.match(refused.detail ?? '', /API key/);
    assert.doesNotMatch(refused.detail ?? '', /the-key/);
    assert.equal((await asked(what, refuses(404, 'The model does not exist.'))).reason, 'unknown_model');
  });

const SOCKETS: ProviderCheckCreate[] = [
  { kind: 'stt', provider: 'deepgram' },
  { kind: 'stt', provider: 'elevenlabs' },
  { kind: 'stt', provider: 'cartesia' },
  { kind: 'stt', provider: 'google' },
  { kind: 'tts', provider: 'deepgram' },
  { kind: 'tts', provider: 'elevenlabs', voice: 'v' },
  { kind: 'tts', provider: 'cartesia' },
  { kind: 'realtime', provider: 'google' },
];

for (const what of SOCKETS)
  test(`${what.kind} of ${what.provider}: a key that is refused`, async () => {
    const standIn = await startStandIn({
      refuses: () => 401,
      http: (_, response) => refuses(401, 'Invalid API key')(response),
    });
    const { outcome, reason, detail } = await check(what, `${standIn.origin}/v1`);
    standIn.close();
    assert.deepEqual([outcome, reason], ['failed', 'refused_key'], detail ?? '');
  });

test('a plugin that ends its process when a key is refused ends that of the check alone', async () => {
  const standIn = await startStandIn({ refuses: () => 401 });
  const base_url = `${standIn.origin}/v1`;
  const models = { keys, baseUrls: new Map([[base_url, 'the-key']]) };
  const { outcome, reason, detail } = await checkApart({ kind: 'realtime', base_url }, models);
  standIn.close();
  assert.deepEqual([outcome, reason], ['failed', 'refused_key'], detail ?? '');
});

test('a recognizer of streams that takes a second of silence, and has nothing to say about it, is well', async () => {
  let bytes = 0;
  const standIn = await startStandIn({
    socket: (socket) =>
      socket.on('message', (data, isBinary) => {
        if (isBinary) bytes += (data as Buffer).length;
      }),
  });
  const { outcome, detail } = await check({ kind: 'stt', provider: 'deepgram' }, `${standIn.origin}/v1`, 1_000);
  standIn.close();
  assert.deepEqual([outcome, bytes > 0], ['ok', true]);
  assert.match(detail ?? '', /said nothing/);
});

test('no key, a provider or address that may not be used, nobody at the address', async () => {
  const none = { keys: {}, baseUrls: new Map<string, string | null>() };
  const no_key = await checkModel({ kind: 'llm', provider: 'groq', model: 'm' }, none);
  assert.deepEqual([no_key.outcome, no_key.reason], ['failed', 'no_key']);
  assert.match(no_key.detail ?? '', /set GROQ_API_KEY/);
  for (const wrong of [
    { kind: 'llm', provider: 'groq' },
    { kind: 'llm', base_url: 'http://elsewhere.example/v1' },
    { kind: 'realtime', provider: 'nobody' },
  ] as const)
    assert.equal((await checkModel(wrong, { ...none, keys })).reason, 'wrong_config');
  const gone: StandIn = await startStandIn({});
  gone.close();
  for (const kind of ['llm', 'stt', 'tts'] as const)
    assert.equal((await check({ kind }, `${gone.origin}/v1`)).reason, 'unreachable', kind);
});

test('the rules answer without a key', async () => {
  const { outcome, reason } = await checkModel({ kind: 'llm', provider: 'local' }, { keys: {}, baseUrls: new Map() });
  assert.deepEqual([outcome, reason], ['ok', null]);
});
