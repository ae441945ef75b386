// Each provider's requests, against a stand-in made from its published description or the types of its SDK. None of
// these providers was called with an account.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger, type llm, type stt, type tts } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { ask, at, USED } from './asking.ts';
import { completion, events, startStandIn } from './stand-in.ts';

initializeLogger({ pretty: false, level: 'silent' });

for (const [provider, limit, usage_requested] of [
  ['groq', 'max_completion_tokens', true],
  ['cerebras', 'max_completion_tokens', true],
  ['xai', 'max_completion_tokens', true],
  ['azure', 'max_completion_tokens', true],
  ['mistral', 'max_tokens', false],
  ['together', 'max_tokens', true],
  ['fireworks', 'max_tokens', true],
  ['deepseek', 'max_tokens', true],
  ['openrouter', 'max_tokens', true],
] as const)
  test(`${provider}: words, tool calls and tokens in OpenAI’s protocol, with its own name of the limit`, async (t) => {
    const call = { index: 0, id: 'call00002', type: 'function', function: { name: 'weather', arguments: '' } };
    const deltas = [
      { role: 'assistant', content: 'One ' },
      { content: 'moment.' },
      { tool_calls: [call] },
      { tool_calls: [{ index: 0, function: { arguments: '{"city":"Oslo"}' } }] },
    ];
    const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 };
    const chunks = completion(deltas, { ...usage, prompt_tokens_details: { cached_tokens: 40 } }, 'tool_calls');
    const standIn = await startStandIn({ http: (_, response) => events(response, chunks, '[DONE]') });
    t.after(standIn.close);
    const section = { provider, model: 'some-model', temperature: 0.3, max_tokens: 55 };
    const { llm: model } = at(standIn, 'llm', section, '/v1');
    assert.deepEqual(await ask(model as llm.LLM), {
      text: 'One moment.',
      calls: ['weather {"city":"Oslo"}'],
      used: USED,
    });
    const [{ method, path, headers, body } = assert.fail('not asked')] = standIn.asked;
    assert.deepEqual([method, path, headers.authorization], ['POST', '/v1/chat/completions', 'Bearer the-key']);
    const { messages, tools, ...fields } = body;
    assert.deepEqual(fields, {
      model: 'some-model',
      stream: true,
      ...(usage_requested && { stream_options: { include_usage: true } }),
      temperature: 0.3,
      [limit]: 55,
      parallel_tool_calls: true,
    });
    assert.deepEqual(
      messages.map(({ role, content, tool_calls, tool_call_id }: Record<string, unknown>) =>
        [role, content, tool_calls ? 'calls' : '', tool_call_id ?? ''].join('|'),
      ),
      [
        'system|Be brief.||',
        'user|Weather in Rome?||',
        'assistant||calls|',
        'tool|sunny||call00001',
        'user|And in Oslo?||',
      ],
    );
    assert.deepEqual(
      tools.map((tool: { function: { name: string } }) => tool.function.name),
      ['weather'],
    );
  });

test('groq recognizes speech in files, by OpenAI’s protocol', async (t) => {
  const standIn = await startStandIn({
    http: (_, response) => response.setHeader('content-type', 'application/json').end('{"text":"Good morning."}'),
  });
  t.after(standIn.close);
  const { stt: model } = at(standIn, 'stt', { provider: 'groq', language: 'en' }, '/openai/v1');
  const { alternatives } = await (model as stt.STT).recognize([sound()]);
  assert.equal(alternatives?.[0]?.text, 'Good morning.');
  const [{ path, headers, body } = assert.fail('not asked')] = standIn.asked;
  assert.deepEqual([path, headers.authorization], ['/openai/v1/audio/transcriptions', 'Bearer the-key']);
  assert.match(body, /name="model"\s+whisper-large-v3-turbo/);
  assert.match(body, /name="language"\s+en/);
  assert.match(body, /name="file"; filename="[^"]+\.wav"/);
});

test('google: words, tool calls and tokens of generateContent', async (t) => {
  const candidate = (parts: object[]) => ({ candidates: [{ content: { role: 'model', parts }, index: 0 }] });
  const chunks = [
    candidate([{ text: 'One moment.' }]),
    {
      ...candidate([{ functionCall: { name: 'weather', args: { city: 'Oslo' } } }]),
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 4,
        totalTokenCount: 107,
      },
    },
  ];
  const standIn = await startStandIn({ http: (_, response) => events(response, chunks) });
  t.after(standIn.close);
  const section = { provider: 'google', temperature: 0.3, max_tokens: 55 };
  const { llm: model } = at(standIn, 'llm', section);
  assert.deepEqual(await ask(model as llm.LLM), {
    text: 'One moment.',
    calls: ['weather {"city":"Oslo"}'],
    used: USED,
  });
  const [{ path, headers, body } = assert.fail('not asked')] = standIn.asked;
  assert.equal(path, '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
  assert.equal(headers['x-goog-api-key'], 'the-key');
  assert.deepEqual(body.systemInstruction.parts, [{ text: 'Be brief.' }]);
  assert.partialDeepStrictEqual(body.generationConfig, { temperature: 0.3, maxOutputTokens: 55 });
  assert.equal(body.tools[0].functionDeclarations[0].name, 'weather');
  assert.deepEqual(
    body.contents.map(({ role, parts }: { role: string; parts: object[] }) => [role, ...parts.flatMap(Object.keys)]),
    [
      ['user', 'text'],
      ['model', 'functionCall'],
      ['user', 'functionResponse', 'text'],
    ],
  );
});

test('google: a voice, in the sound of generateContent', async (t) => {
  const data = Buffer.alloc(24_000 * 2).toString('base64');
  const parts = [{ inlineData: { mimeType: 'audio/L16;rate=24000', data } }];
  const chunks = [{ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }];
  const standIn = await startStandIn({ http: (_, response) => events(response, chunks) });
  t.after(standIn.close);
  const { tts: model } = at(standIn, 'tts', { provider: 'google', model: 'a-voice-model', voice: 'Puck' });
  let samples = 0;
  for await (const { frame } of (model as tts.TTS).synthesize('Good morning.')) samples += frame.samplesPerChannel;
  assert.equal(samples, 24_000);
  const [{ path, headers, body } = assert.fail('not asked')] = standIn.asked;
  assert.equal(path, '/v1beta/models/a-voice-model:streamGenerateContent?alt=sse');
  assert.equal(headers['x-goog-api-key'], 'the-key');
  assert.match(body.contents[0].parts[0].text, /"Good morning\."$/);
  assert.deepEqual(body.generationConfig, {
    responseModalities: ['AUDIO'],
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Puck' } } },
  });
});

test('google: speech is recognized in a live session', async (t) => {
  // biome-ignore lint/suspicious/noExplicitAny: messages of the protocol.
  const messages: any[] = [];
  const standIn = await startStandIn({
    socket: (socket) =>
      socket.on('message', (message) => {
        const content = JSON.parse(String(message));
        messages.push(content);
        if (content.setup) socket.send(JSON.stringify({ setupComplete: {} }));
        if (!content.realtimeInput?.audio) return;
        const heard = { inputTranscription: { text: 'Good morning.', languageCode: 'en-US' }, turnComplete: true };
        socket.send(JSON.stringify({ serverContent: heard }));
      }),
  });
  t.after(standIn.close);
  const { stt: model } = at(standIn, 'stt', { provider: 'google', model: 'a-model', language: 'en-US' });
  const stream = (model as stt.STT).stream();
  t.after(() => stream.close());
  stream.pushFrame(sound());
  const { value } = await stream.next();
  assert.equal(value?.alternatives?.[0]?.text, 'Good morning.');
  const [{ path, headers } = assert.fail('not asked')] = standIn.asked;
  assert.match(path, /GenerativeService\.BidiGenerateContent/);
  assert.ok(headers['x-goog-api-key'] === 'the-key' || path.includes('key=the-key'));
  assert.equal(messages[0].setup.model, 'models/a-model');
  assert.deepEqual(messages[0].setup.inputAudioTranscription.languageCodes, ['en-US']);
  assert.equal(messages[1].realtimeInput.audio.mimeType, 'audio/pcm;rate=16000');
});

test('google: a live session begins with the model, the voice and the limits of the config', async (t) => {
  const { promise: begun, resolve } = Promise.withResolvers<Record<string, unknown>>();
  const standIn = await startStandIn({
    socket: (socket) => socket.once('message', (message) => resolve(JSON.parse(String(message)).setup)),
  });
  t.after(standIn.close);
  const section = { provider: 'google', model: 'a-live-model', voice: 'Kore', options: { maxOutputTokens: 78 } };
  const { llm: model } = at(standIn, 'realtime', section);
  const session = (model as llm.RealtimeModel).session();
  session.on('error', () => {});
  t.after(() => session.close());
  assert.partialDeepStrictEqual(await begun, {
    model: 'models/a-live-model',
    generationConfig: {
      responseModalities: ['AUDIO'],
      maxOutputTokens: 78,
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
    },
  });
  assert.match(standIn.asked[0]?.path ?? '', /GenerativeService\.BidiGenerateContent/);
});

/** A second of silence. */
function sound(): AudioFrame {
  return new AudioFrame(new Int16Array(16_000), 16_000, 1, 16_000);
}
