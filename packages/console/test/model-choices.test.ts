import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CostGroup, ModelKind, Price } from '@switchboard/client';
import { modelChoices } from '../src/data/model-choices.ts';
import type { Measured } from '../src/data/model-latency.ts';

function price(provider: string, event_type: Price['event_type'], model: string | null, amount: string): Price {
  const blank = { prefix: null, direction: null, billing_increment: null, superseded_at: null, is_withdrawn: false };
  return {
    ...blank,
    id: amount,
    provider,
    event_type,
    model,
    price: amount,
    valid_from: '2026-01-01',
    recorded_at: '',
  };
}

const figures = (p50_ms: number) => ({ turns: 1, mean_ms: p50_ms, p50_ms, p95_ms: p50_ms });
/** Turns of a version with a language model; null for those of all agents. */
const turnsOf = (agent_version: number | null, model: string, p50_ms: number, agent_id: string | null = null) => ({
  agent_id,
  agent_name: null,
  agent_version,
  model,
  transcript: figures(p50_ms),
  first_token: figures(p50_ms + 1),
  first_audio: figures(p50_ms + 2),
});
/** A group of the ledger. */
const booked = (agent_version: number | null, provider: string, model: string, event_type: CostGroup['event_type']) =>
  ({ ...(agent_version !== null && { agent_version }), provider, model, event_type }) as CostGroup;
const NONE = { turns: [], used: [] };
const measures = {
  prices: [] as Price[],
  own: NONE as Measured,
  all: NONE as Measured,
  versions: NONE as Measured,
  promptLength: 400,
  current: undefined as string | undefined,
};
const find = (choices: ReturnType<typeof modelChoices>, name: string) => choices.find(({ model }) => model === name);
const p50 = (kind: ModelKind, provider: string, model: string, measured: Partial<typeof measures>) =>
  find(modelChoices(kind, provider, { ...measures, ...measured }), model)?.latency?.p50_ms;

test('a minute costs what the price book says: by the minute, by the characters spoken, by the tokens read and written', () => {
  const prices = [
    price('deepgram', 'stt_minutes', null, '0.01'),
    { ...price('deepgram', 'stt_minutes', 'nova-3', '0.02'), valid_from: '9999-01-01' },
    price('deepgram', 'stt_minutes', 'nova-2', '0.005'),
    price('cartesia', 'tts_characters', 'sonic-3', '0.00002'),
    price('openai', 'llm_input_tokens', 'gpt-4.1', '0.000001'),
    price('openai', 'llm_output_tokens', 'gpt-4.1', '0.00001'),
    price('openai', 'llm_input_tokens', 'gpt-4o', '0.000001'),
  ];
  const of = (kind: 'stt' | 'llm' | 'tts', provider: string, model: string) =>
    find(modelChoices(kind, provider, { ...measures, prices }), model)?.minutePrice;
  assert.equal(of('stt', 'deepgram', 'nova-3'), '0.01', 'the price of tomorrow is not that of today');
  assert.equal(of('stt', 'deepgram', 'nova-2'), '0.005');
  assert.equal(of('tts', 'cartesia', 'sonic-3'), '0.009');
  // Four answers, each after 100 tokens of prompt and 400 of transcript, with 120 tokens in all.
  assert.equal(of('llm', 'openai', 'gpt-4.1'), '0.0032');
  assert.equal(of('llm', 'openai', 'gpt-4o'), null, 'half a price is none');
  assert.equal(of('tts', 'deepgram', 'aura-2-thalia-en'), null);
});

test('a minute of a speech-to-speech model is what it hears and says, and the text of both', () => {
  const of = (model: string, input: string, output: string) => [
    price('openai', 'llm_input_tokens', model, input),
    price('openai', 'llm_output_tokens', model, output),
  ];
  const text = of('gpt-realtime', '0.000004', '0.000016');
  const prices = [
    ...text,
    ...of('gpt-realtime:audio', '0.000032', '0.000064'),
    ...of('gpt-4.1', '0.000002', '0.000008'),
  ];
  const choices = modelChoices('realtime', 'openai', { ...measures, prices });
  // Heard 300, said 600 tokens of speech; read 4 times 100, written 120 of text.
  assert.equal(find(choices, 'gpt-realtime')?.minutePrice, '0.05152');
  assert.equal(
    find(modelChoices('realtime', 'openai', { ...measures, prices: text }), 'gpt-realtime')?.minutePrice,
    null,
  );
  assert.deepEqual(
    choices.map(({ model }) => model),
    ['gpt-realtime'],
    'language models in the price book are no speech-to-speech models',
  );
  const written = modelChoices('llm', 'openai', { ...measures, prices });
  assert.ok(
    written.every(({ model }) => !model.startsWith('gpt-realtime')),
    'nor the other way round',
  );
});

test('recognition and voice are measured in the versions that had them, and no other one', () => {
  const own = {
    turns: [turnsOf(1, 'gpt-4.1', 100), turnsOf(2, 'gpt-4.1', 20), turnsOf(3, 'gpt-4.1', 900)],
    used: [
      booked(1, 'deepgram', 'nova-2', 'stt_minutes'),
      booked(2, 'deepgram', 'nova-3', 'stt_minutes'),
      // The fallback took over.
      booked(3, 'deepgram', 'nova-3', 'stt_minutes'),
      booked(3, 'groq', 'whisper-large-v3-turbo', 'stt_minutes'),
      booked(1, 'cartesia', 'sonic-3', 'tts_characters'),
    ],
  };
  assert.equal(p50('stt', 'deepgram', 'nova-2', { own }), 100);
  assert.equal(p50('stt', 'deepgram', 'nova-3', { own }), 20);
  assert.equal(p50('stt', 'groq', 'whisper-large-v3-turbo', { own }), undefined);
  assert.equal(p50('tts', 'cartesia', 'sonic-3', { own }), 102);
  assert.equal(p50('tts', 'cartesia', 'sonic-2', { own }), undefined);
  // Nor those of a version whose ledger is silent.
  const turns = [turnsOf(1, 'gpt-4.1', 100)];
  assert.equal(p50('stt', 'deepgram', 'nova-2', { own: { turns, used: [] } }), undefined);
});

test('recognition and voice are measured in this agent, or else in the versions of all agents that had no other one', () => {
  const of = (agent_id: string, model: string) => ({
    ...booked(1, 'livekit', model, 'stt_minutes'),
    agent_id,
  });
  const versions = {
    turns: [turnsOf(1, 'gpt-4.1', 100, 'a'), turnsOf(1, 'gpt-4.1', 20, 'b'), turnsOf(1, 'gpt-4.1', 900, 'c')],
    // The first version of each agent is another one.
    used: [of('a', 'deepgram/nova-3'), of('b', 'cartesia/ink-whisper'), of('c', 'deepgram/nova-3'), of('c', 'other')],
  };
  assert.equal(p50('stt', 'livekit', 'deepgram/nova-3', { versions }), 100);
  assert.equal(p50('stt', 'livekit', 'cartesia/ink-whisper', { versions, current: 'cartesia/ink-whisper' }), 20);
  assert.equal(p50('stt', 'deepgram', 'nova-3', { versions }), undefined);
  assert.equal(p50('tts', 'livekit', 'cartesia/sonic-3', { versions }), undefined);
  const own = { turns: [turnsOf(1, 'gpt-4.1', 7)], used: [booked(1, 'livekit', 'deepgram/nova-3', 'stt_minutes')] };
  assert.equal(p50('stt', 'livekit', 'deepgram/nova-3', { own, versions }), 7);
});

test('a language model is measured in this agent, or else in all agents together', () => {
  const own = { turns: [turnsOf(1, 'gpt-4.1', 20)], used: [booked(1, 'openai', 'gpt-4.1', 'llm_input_tokens')] };
  const all = { turns: [turnsOf(null, 'gpt-4.1', 60), turnsOf(null, 'gpt-4o', 70)], used: [] };
  assert.equal(p50('llm', 'openai', 'gpt-4.1', { own, all }), 21);
  assert.equal(p50('llm', 'openai', 'gpt-4o', { own, all }), 71);
  assert.equal(p50('stt', 'deepgram', 'nova-3', { own, all }), undefined);
  const choices = modelChoices('llm', 'openai', { ...measures, own, all, current: 'own-model' });
  assert.deepEqual(find(choices, 'own-model'), { model: 'own-model', isOther: true, minutePrice: null, latency: null });
});

test('a model of the same name at another provider is another model', () => {
  const azure = { turns: [turnsOf(1, 'gpt-4.1', 20)], used: [booked(1, 'azure', 'gpt-4.1', 'llm_output_tokens')] };
  assert.equal(p50('llm', 'azure', 'gpt-4.1', { own: azure }), 21);
  assert.equal(p50('llm', 'openai', 'gpt-4.1', { own: azure }), undefined);
  // Turns of all agents do not say which of two it was.
  const used = [booked(null, 'azure', 'gpt-4.1', 'llm_tokens'), booked(null, 'openai', 'gpt-4.1', 'llm_tokens')];
  const all = { turns: [turnsOf(null, 'gpt-4.1', 60)], used };
  assert.equal(p50('llm', 'openai', 'gpt-4.1', { all }), undefined);
  assert.equal(p50('llm', 'openai', 'gpt-4.1', { all: { ...all, used: used.slice(1) } }), 61);
  // A server at an address of its own is booked under that.
  const local = { turns: all.turns, used: [booked(null, 'local', 'gpt-4.1', 'llm_tokens')] };
  assert.equal(p50('llm', 'openai', 'gpt-4.1', { all: local }), 61);
  const live = { turns: [turnsOf(1, 'live', 20)], used: [booked(1, 'google', 'live:audio', 'llm_input_tokens')] };
  assert.equal(p50('realtime', 'google', 'live', { own: live, current: 'live' }), 22);
  assert.equal(p50('realtime', 'openai', 'live', { own: live, current: 'live' }), undefined);
});

test('figures of several versions are those of their turns together', () => {
  const used = [1, 2].map((version) => booked(version, 'openai', 'gpt-4.1', 'llm_tokens'));
  const of = (groups: [version: number, turns: number, p50: number, p95: number][]) => {
    const turns = groups.map(([version, count, p50_ms, p95_ms]) => ({
      ...turnsOf(version, 'gpt-4.1', 0),
      first_token: { turns: count, mean_ms: p50_ms, p50_ms, p95_ms },
    }));
    return find(modelChoices('llm', 'openai', { ...measures, own: { turns, used } }), 'gpt-4.1')?.latency;
  };
  const same = of([
    [1, 30, 200, 400],
    [2, 10, 200, 400],
  ]);
  assert.deepEqual(same, { turns: 40, mean_ms: 200, p50_ms: 200, p95_ms: same?.p95_ms });
  assert.ok(Math.abs((same?.p95_ms ?? 0) - 400) <= 1);
  // One turn in ten was slow: half of these are beyond p95.
  const slow = of([
    [1, 90, 200, 300],
    [2, 10, 2000, 3000],
  ]);
  assert.ok(Math.abs((slow?.p95_ms ?? 0) - 2000) <= 20, `${slow?.p95_ms}`);
  assert.ok((slow?.p50_ms ?? 0) < 250, `${slow?.p50_ms}`);
});

test('providers whose models are known by name have some to choose from', () => {
  const none = (kind: ModelKind, providers: readonly string[]) =>
    providers.filter((provider) => modelChoices(kind, provider, measures).length === 0);
  assert.deepEqual(none('llm', ['groq', 'mistral', 'azure', 'xai', 'google']), []);
  assert.deepEqual(none('stt', ['google']), []);
  assert.deepEqual(none('tts', ['google']), []);
  assert.deepEqual(none('realtime', ['google', 'openai']), []);
});
