import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysText } from '../src/data/pressed-keys.ts';

const PRESSED = { speaker: 'USER', name: 'pin', digits: '12', is_sensitive: false, created_at: '2026-01-15' } as const;

test('keys are told with who pressed them and what for, and hidden if nobody may know them', () => {
  assert.deepEqual(keysText(PRESSED), { title: 'The caller pressed 12', detail: 'For pin.' });
  const hidden = { ...PRESSED, digits: null };
  assert.deepEqual(keysText(hidden), { title: 'The caller pressed ••••', detail: 'For pin, redacted.' });
  const detail = 'For pin, sensitive.';
  assert.deepEqual(keysText({ ...hidden, is_sensitive: true }), { title: 'The caller pressed ••••', detail });
  const ofAgent = { ...PRESSED, speaker: 'AGENT', name: null } as const;
  assert.deepEqual(keysText(ofAgent), { title: 'The agent pressed 12' });
  assert.deepEqual(keysText({ ...ofAgent, digits: null }), { title: 'The agent pressed ••••', detail: 'Redacted.' });
});
