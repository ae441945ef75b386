import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LatencyReport, Price } from '@switchboard/client';
import { modelChoices } from '../src/data/model-choices.ts';

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
const group = (agent_id: string, model: string, p50_ms: number) => ({
  agent_id,
  agent_name: null,
  model,
  transcript: figures(p50_ms),
  first_token: figures(p50_ms + 1),
  first_audio: figures(p50_ms + 2),
});
const latency = { total: {}, groups: [group('other', 'gpt-4.1', 10), group('mine', 'gpt-4.1', 20)] } as LatencyReport;
const measures = {
  prices: [] as Price[],
  latency,
  agentId: 'mine',
  promptLength: 400,
  current: undefined,
  isLater: false,
};
const find = (choices: ReturnType<typeof modelChoices>, name: string) => choices.find(({ model }) => model === name);

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

test('the latency of a model is that of this agent before that of others; of its other models only while it has them', () => {
  const llm = modelChoices('llm', 'openai', { ...measures, current: 'own-model' });
  assert.equal(find(llm, 'gpt-4.1')?.latency?.p50_ms, 21);
  assert.deepEqual(find(llm, 'own-model'), { model: 'own-model', isOther: true, minutePrice: null, latency: null });
  const stt = modelChoices('stt', 'deepgram', { ...measures, current: 'nova-3' });
  assert.equal(find(stt, 'nova-3')?.latency?.p50_ms, 20);
  assert.equal(find(stt, 'nova-2')?.latency, null);
  // The agent's figures are those of the first model of a list; turns with a language model say which one it was.
  const later = { ...measures, isLater: true };
  assert.equal(find(modelChoices('stt', 'deepgram', { ...later, current: 'nova-3' }), 'nova-3')?.latency, null);
  assert.equal(find(modelChoices('llm', 'openai', later), 'gpt-4.1')?.latency?.p50_ms, 21);
});
