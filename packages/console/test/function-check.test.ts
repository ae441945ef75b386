import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FunctionCheck } from '@switchboard/client';
import { alsoSet } from '../src/data/config-paths.ts';
import { argumentsOf, functionResultText, variablesIn } from '../src/data/function-check.ts';

const parameters = {
  type: 'object',
  properties: { day: { type: 'string' }, count: { type: 'integer' }, sure: { type: 'boolean' }, list: {} },
};

test('what was typed becomes arguments by their types, and what is empty is left out', () => {
  const typed = { day: '7', count: '7', sure: 'true', list: '[1, 2]', other: 'x' };
  assert.deepEqual(argumentsOf(parameters, typed), { day: '7', count: 7, sure: true, list: [1, 2] });
  assert.deepEqual(argumentsOf(parameters, { day: '', count: 'seven' }), { count: 'seven' });
});

test('the names in templates that are no arguments are variables', () => {
  const tried = {
    url: 'https://x/{{day}}/{{tenant}}',
    headers: { a: '{{tenant}} {{b}}' },
    body: '{{count}}',
    parameters,
  };
  assert.deepEqual(variablesIn(tried), ['tenant', 'b']);
  assert.deepEqual([variablesIn(null), variablesIn({ url: 7, headers: [], body: {} })], [[], []]);
});

test('headers that the form cannot show are named as also set', () => {
  const functions = [{ name: 'f', method: 'GET', body: '{}', headers: { a: 'b', c: 7 } }, { headers: 'x' }];
  assert.deepEqual(alsoSet({ tools: { functions } }), ['tools.functions.0.headers.c', 'tools.functions.1.headers']);
});

test('a result is told in plain words', () => {
  const base = { outcome: 'ok', reason: null, detail: null, request: null, response: null, latency_ms: 84 } as const;
  const ok: FunctionCheck = { ...base, worker: 'w:8081', is_simulated: false };
  assert.equal(functionResultText(ok), 'Answered after 84 ms. Called by w:8081.');
  assert.match(
    functionResultText({ ...ok, outcome: 'failed', reason: 'status' }),
    /takes for a failure. Answered after/,
  );
  assert.match(
    functionResultText({ ...ok, outcome: 'failed', reason: 'no_secret', latency_ms: null }),
    /FUNCTIONS_SECRET/,
  );
  assert.match(functionResultText({ ...ok, is_simulated: true, latency_ms: null }), /sandbox/);
});
