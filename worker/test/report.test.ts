import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initializeLogger, llm, type metrics, stt, voice } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import { providerName } from '../conversation/providers.ts';
import { report, usedBy } from '../conversation/report.ts';
import type { Used } from '../switchboard/prices.ts';
import { Loudspeaker } from './line.ts';

const common = { label: '', requestId: '', timestamp: 0, durationMs: 0, cancelled: false };
const metadata = { modelProvider: 'some-provider', modelName: 'some-model' };

/** A recognizer whose reports are those of the test. */
class Ears extends stt.STT {
  readonly label = 'ears';
  protected override _recognize = () => assert.fail();
  override stream = () => assert.fail();
}

test('everything an AgentSession hears, says and uses is sent to Switchboard', () => {
  initializeLogger({ pretty: false, level: 'silent' });
  const ears = new Ears({ streaming: true, interimResults: false });
  const session = new voice.AgentSession({ vad: null, stt: ears });
  const reported: unknown[] = [];
  report(session, {
    transcript: (speaker, text) => reported.push([speaker, text]),
    usage: (used: Used) => reported.push(used),
  });
  const { UserInputTranscribed, ConversationItemAdded, MetricsCollected, Close } = voice.AgentSessionEventTypes;
  const heard = {
    type: 'user_input_transcribed',
    itemId: null,
    speakerId: null,
    createdAt: 0,
    language: null,
  } as const;
  session.emit(UserInputTranscribed, { ...heard, transcript: 'Hel', isFinal: false });
  // One turn of the caller, in two parts.
  session.emit(UserInputTranscribed, { ...heard, transcript: 'Good', isFinal: true });
  session.emit(UserInputTranscribed, { ...heard, transcript: 'morning.', isFinal: true });
  for (const role of ['user', 'assistant'] as const) {
    const item = llm.ChatMessage.create({ role, content: 'Good morning.' });
    session.emit(ConversationItemAdded, { type: 'conversation_item_added', item, createdAt: 0 });
  }
  const metrics = { ...common, type: 'stt_metrics', audioDurationMs: 90_000, streamed: true, metadata } as const;
  ears.emit('metrics_collected', metrics);
  // The session passes the same on while it listens.
  session.emit(MetricsCollected, { type: 'metrics_collected', createdAt: 0, metrics });
  session.emit(UserInputTranscribed, { ...heard, transcript: 'Wait, I', isFinal: true });
  session.emit(Close, { type: 'close', error: null, reason: voice.CloseReason.USER_INITIATED, createdAt: 0 });
  assert.deepEqual(reported, [
    ['USER', 'Good morning.'],
    ['AGENT', 'Good morning.'],
    { provider: 'some-provider', model: 'some-model', unit: 'stt_minutes', quantity: '1.500000' },
    ['USER', 'Wait, I'],
  ]);
});

test('a greeting of which nothing was heard has no line, and words that are in no turn are not lost', () => {
  const session = new voice.AgentSession({ vad: null });
  const lines: unknown[] = [];
  report(session, { transcript: (...line) => lines.push(line.slice(0, 2)), usage: () => assert.fail() });
  const { UserInputTranscribed, ConversationItemAdded, Close } = voice.AgentSessionEventTypes;
  const hear = (transcript: string) =>
    session.emit(UserInputTranscribed, voice.createUserInputTranscribedEvent({ transcript, isFinal: true }));
  const add = (item: ConstructorParameters<typeof llm.ChatMessage>[0]) =>
    session.emit(ConversationItemAdded, voice.createConversationItemAddedEvent(llm.ChatMessage.create(item)));
  const greeting = { role: 'assistant', content: 'Welcome.', interrupted: true } as const;
  add(greeting);
  add({ ...greeting, metrics: { startedSpeakingAt: 1 } });
  for (const words of ['Wait a moment.', 'Good', 'morning.', 'Are you', 'there?']) hear(words);
  add({ role: 'user', content: 'Good morning.' });
  hear('Hello?');
  // The call ends before the last words are final.
  add({ role: 'user', content: 'Hello? Is any' });
  session.emit(Close, { type: 'close', error: null, reason: voice.CloseReason.USER_INITIATED, createdAt: 0 });
  assert.deepEqual(lines, [
    ['AGENT', 'Welcome.'],
    ['USER', 'Wait a moment.'],
    ['USER', 'Good morning.'],
    ['USER', 'Are you there?'],
    ['USER', 'Hello? Is any'],
  ]);
});

test('a text that is interrupted before its first word has no line, even if the one before it was the same', () => {
  const session = new voice.AgentSession({ vad: null });
  const lines: unknown[] = [];
  report(session, { transcript: (...line) => lines.push(line.slice(0, 2)), usage: () => assert.fail() });
  const audio = new Loudspeaker();
  session.output.audio = audio;
  const { AgentStateChanged, ConversationItemAdded } = voice.AgentSessionEventTypes;
  session.emit(AgentStateChanged, voice.createAgentStateChangedEvent('listening', 'speaking'));
  const prompt = { role: 'assistant', content: 'Are you still there?' } as const;
  const add = (item: ConstructorParameters<typeof llm.ChatMessage>[0]) =>
    session.emit(ConversationItemAdded, voice.createConversationItemAddedEvent(llm.ChatMessage.create(item)));
  const played = (synchronizedTranscript: string, interrupted: boolean) =>
    audio.emit('playbackFinished', { playbackPosition: 0, interrupted, synchronizedTranscript });
  played(prompt.content, false);
  add({ ...prompt, metrics: { startedSpeakingAt: 1 } });
  // No sound.
  add({ ...prompt, interrupted: true });
  // Sound, but no word.
  played('', true);
  add({ ...prompt, interrupted: true, metrics: { startedSpeakingAt: 2 } });
  played('Are you', true);
  add({ ...prompt, interrupted: true, metrics: { startedSpeakingAt: 3 } });
  assert.deepEqual(lines, [
    ['AGENT', 'Are you still there?'],
    ['AGENT', 'Are you'],
  ]);
});

test('tokens are logged by price: input, cached input, output', () => {
  const counts = { promptTokens: 100, promptCachedTokens: 30, completionTokens: 20, totalTokens: 120 };
  const used = usedBy({ ...common, ...counts, type: 'llm_metrics', ttftMs: 0, tokensPerSecond: 0 });
  const model = { provider: 'unknown', model: 'unknown' };
  assert.deepEqual(used, [
    { ...model, unit: 'llm_input_tokens', quantity: '70' },
    { ...model, unit: 'llm_cached_tokens', quantity: '30' },
    { ...model, unit: 'llm_output_tokens', quantity: '20' },
  ]);
});

test('tokens of a realtime model are logged under its name, those of speech apart', () => {
  const model = new openai.realtime.RealtimeModel({ apiKey: 'k', model: 'gpt-realtime' });
  const session = new voice.AgentSession({ vad: null, llm: model });
  const logged: Used[] = [];
  report(session, { transcript: () => {}, usage: (used) => logged.push(used) });
  const counts = { inputTokens: 100, outputTokens: 50, totalTokens: 150, ttftMs: 0, tokensPerSecond: 0 };
  const output = { textTokens: 10, audioTokens: 40, imageTokens: 0 };
  const cached = { audioTokens: 20, textTokens: 5, imageTokens: 0 };
  const input = { audioTokens: 70, textTokens: 30, imageTokens: 0, cachedTokens: 25 };
  const emit = (inputTokenDetails: metrics.RealtimeModelMetrics['inputTokenDetails']) =>
    session.emit(voice.AgentSessionEventTypes.MetricsCollected, {
      type: 'metrics_collected',
      createdAt: 0,
      metrics: {
        ...common,
        ...counts,
        type: 'realtime_model_metrics',
        inputTokenDetails,
        outputTokenDetails: output,
      },
    });
  emit({ ...input, cachedTokensDetails: cached });
  const of = (audio: string) => ({ provider: 'openai', model: `gpt-realtime${audio}` });
  assert.deepEqual(logged.splice(0), [
    { ...of(''), unit: 'llm_input_tokens', quantity: '25' },
    { ...of(''), unit: 'llm_cached_tokens', quantity: '5' },
    { ...of(''), unit: 'llm_output_tokens', quantity: '10' },
    { ...of(':audio'), unit: 'llm_input_tokens', quantity: '50' },
    { ...of(':audio'), unit: 'llm_cached_tokens', quantity: '20' },
    { ...of(':audio'), unit: 'llm_output_tokens', quantity: '40' },
  ]);
  emit({ ...input, cachedTokens: 35 });
  const sum = (unit: string) =>
    logged.filter((used) => used.unit === unit).reduce((total, { quantity }) => total + Number(quantity), 0);
  assert.deepEqual(['llm_input_tokens', 'llm_cached_tokens', 'llm_output_tokens'].map(sum), [65, 35, 50]);
  logged.length = 0;
  counts.totalTokens = 157;
  emit(input);
  assert.equal(sum('llm_output_tokens'), 57, 'with its thoughts');
});

test('a provider has one name, whatever its plugin calls it', () => {
  const names = {
    openai: ['api.openai.com', 'OpenAI', 'openai', 'https://eu.api.openai.com/v1', 'api.openai.com:443'],
    deepgram: ['Deepgram', 'deepgram', 'api.deepgram.com'],
    azure: ['resource.openai.azure.com', 'resource.cognitiveservices.azure.com'],
    google: ['generativelanguage.googleapis.com', 'Google'],
    local: ['localhost:11434', '127.0.0.1:8020', '[::1]:80', 'http://localhost:11434/v1', 'https://[::1]/'],
    '192.168.0.5:11434': ['192.168.0.5:11434'],
    'notopenai.com': ['notopenai.com'],
    'some-provider': ['Some Provider'],
    unknown: ['', ' ', undefined],
  };
  for (const [name, all] of Object.entries(names)) for (const said of all) assert.equal(providerName(said), name, said);
});
