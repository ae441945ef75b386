import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger, llm, voice } from '@livekit/agents';
import { priceOf, type Used } from '../switchboard/prices.ts';
import { report, usedBy } from '../talk/agent-session.ts';
import { providerName } from '../talk/providers.ts';

const common = { label: '', requestId: '', timestamp: 0, durationMs: 0, cancelled: false };
const metadata = { modelProvider: 'some-provider', modelName: 'some-model' };

test('what an AgentSession hears, says and uses is told to Switchboard', () => {
  initializeLogger({ pretty: false, level: 'silent' });
  const session = new voice.AgentSession({ vad: null });
  const told: unknown[] = [];
  report(session, {
    transcript: (speaker, text) => told.push([speaker, text]),
    usage: (used: Used) => told.push(used),
    end: () => {},
    settled: async () => {},
  });
  const { UserInputTranscribed, ConversationItemAdded, MetricsCollected } = voice.AgentSessionEventTypes;
  const heard = {
    type: 'user_input_transcribed',
    itemId: null,
    speakerId: null,
    createdAt: 0,
    language: null,
  } as const;
  session.emit(UserInputTranscribed, { ...heard, transcript: 'Hel', isFinal: false });
  session.emit(UserInputTranscribed, { ...heard, transcript: 'Hello.', isFinal: true });
  for (const role of ['user', 'assistant'] as const) {
    const item = llm.ChatMessage.create({ role, content: 'Good morning.' });
    session.emit(ConversationItemAdded, { type: 'conversation_item_added', item, createdAt: 0 });
  }
  session.emit(MetricsCollected, {
    type: 'metrics_collected',
    createdAt: 0,
    metrics: { ...common, type: 'stt_metrics', audioDurationMs: 90_000, streamed: true, metadata },
  });
  assert.deepEqual(told, [
    ['USER', 'Hello.'],
    ['AGENT', 'Good morning.'],
    { provider: 'some-provider', model: 'some-model', unit: 'stt_minutes', quantity: '1.500000' },
  ]);
});

test('tokens are booked by what they cost: input, input from a cache, output', () => {
  const counts = { promptTokens: 100, promptCachedTokens: 30, completionTokens: 20, totalTokens: 120 };
  const used = usedBy({ ...common, ...counts, type: 'llm_metrics', ttftMs: 0, tokensPerSecond: 0 });
  const model = { provider: 'unknown', model: 'unknown' };
  assert.deepEqual(used, [
    { ...model, unit: 'llm_input_tokens', quantity: '70' },
    { ...model, unit: 'llm_cached_tokens', quantity: '30' },
    { ...model, unit: 'llm_output_tokens', quantity: '20' },
  ]);
});

test('a provider has one name, however its plugin calls it, and its price is found', () => {
  const names = {
    openai: ['api.openai.com', 'OpenAI', 'openai', 'https://eu.api.openai.com/v1', 'api.openai.com:443'],
    deepgram: ['Deepgram', 'deepgram', 'api.deepgram.com'],
    azure: ['resource.openai.azure.com', 'resource.cognitiveservices.azure.com'],
    google: ['generativelanguage.googleapis.com', 'Google'],
    'localhost:11434': ['localhost:11434'],
    'notopenai.com': ['notopenai.com'],
    'some-provider': ['Some Provider'],
    unknown: ['', ' ', undefined],
  };
  for (const [name, all] of Object.entries(names)) for (const said of all) assert.equal(providerName(said), name, said);
  const counts = { charactersCount: 10, audioDurationMs: 0, ttfbMs: 0, streamed: true };
  const tone = { modelProvider: 'Placeholder', modelName: 'tone' };
  const [used] = usedBy({ ...common, ...counts, type: 'tts_metrics', metadata: tone });
  assert.ok(used);
  assert.equal(priceOf(used), '0.000015');
});
