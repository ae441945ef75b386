import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderCheck } from '@switchboard/client';
import { checkOf, resultText } from '../src/data/provider-check.ts';

test('a check names the model of a configuration, and of a list the first one', () => {
  const config = {
    stt: [{ provider: 'groq', language: 'en' }, { provider: 'openai' }],
    tts: { voice: 'v', speed: 2, model: '' },
  };
  assert.deepEqual(checkOf('stt', config), { kind: 'stt', provider: 'groq', language: 'en' });
  assert.deepEqual(checkOf('tts', config), { kind: 'tts', voice: 'v' });
  assert.deepEqual(checkOf('llm', config), { kind: 'llm' });
});

test('a result is told in plain words', () => {
  const ok: ProviderCheck = {
    outcome: 'ok',
    reason: null,
    detail: null,
    latency_ms: 412,
    worker: 'w:8081',
    is_simulated: false,
  };
  assert.equal(resultText(ok), 'It answered after 412 ms. Asked by w:8081.');
  assert.match(resultText({ ...ok, latency_ms: null }), /refused nothing/);
  const failed: ProviderCheck = { ...ok, outcome: 'failed', reason: 'refused_key' };
  assert.equal(resultText(failed), 'The provider refuses the worker’s key. Asked by w:8081.');
  assert.equal(resultText({ ...ok, is_simulated: true }), 'This is the sandbox: no provider was asked.');
});
