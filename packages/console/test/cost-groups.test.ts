import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerEvent } from '@switchboard/client';
import { groupLines, toLines } from '../src/data/cost-groups.ts';

const line = (id: string, change: Partial<LedgerEvent>) =>
  ({
    id,
    provider: 'openai',
    event_type: 'llm_tokens',
    model: null,
    quantity: '1',
    total_cost: '0.1',
    is_unpriced: false,
    adjusts: null,
    ...change,
  }) as LedgerEvent;

test('lines are added up exactly by provider, kind and model, the largest cost first', () => {
  const events = [
    line('1', { total_cost: '0.1', quantity: '0.1' }),
    line('2', { total_cost: '0.2', quantity: '0.2' }),
    line('3', { model: 'large', total_cost: '0.4' }),
    line('4', { provider: 'acme', total_cost: '0', is_unpriced: true, quantity: '5' }),
    line('5', { provider: 'acme', total_cost: '0', is_unpriced: true, quantity: '7' }),
    line('6', { provider: 'acme', total_cost: '0.01', adjusts: '4', quantity: '5' }),
  ];
  assert.deepEqual(
    groupLines(toLines(events)).map(({ provider, model, lines, quantity, total_cost, unpriced }) => [
      provider,
      model,
      lines,
      quantity,
      total_cost,
      unpriced,
    ]),
    [
      ['openai', 'large', 1, '1', '0.4', 0],
      ['openai', null, 2, '0.3', '0.3', 0],
      ['acme', null, 3, '12', '0.01', 1],
    ],
  );
});
