import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderCheck } from '@switchboard/client';
import { checkOf, resultText } from '../src/data/provider-check.ts';

test('a check names the fields of a model that are text', () => {
  const given = { provider: 'groq', language: 'en' };
  assert.deepEqual(checkOf('stt', given), { kind: 'stt', ...given });
  assert.deepEqual(checkOf('tts', { voice: 'v', speed: 2, model: '' }), { kind: 'tts', voice: 'v' });
  assert.deepEqual(checkOf('llm', undefined), { kind: 'llm' });
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
