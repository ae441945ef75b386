import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { readCsv } from '../support/csv.ts';

/** More than the service reads of the book with one statement. */
const PRICES = 2_500;

test('a file of the price book is the book of one instant, also while prices are replaced', async () => {
  const service = await startService();
  const put = (price: number) =>
    service.request('PUT', '/api/prices', {
      body: {
        entries: Array.from({ length: PRICES }, (_, index) => ({
          provider: `provider ${index}`,
          event_type: 'llm_tokens',
          price: `${price}`,
          valid_from: '2026-01-01',
        })),
      },
    });
  assert.equal((await put(1)).status, 200);
  let isReplaced = false;
  const replacing = (async () => {
    for (const price of [2, 3, 4, 5]) assert.equal((await put(price)).status, 200);
  })().finally(() => {
    isReplaced = true;
  });
  while (!isReplaced) {
    const { body } = await service.request('GET', '/api/prices', { headers: { accept: 'text/csv' } });
    const rows = readCsv(body);
    assert.equal(rows.length, PRICES);
    assert.equal(new Set(rows.map(({ provider }) => provider)).size, PRICES);
    assert.equal(new Set(rows.map(({ price }) => price)).size, 1);
  }
  await replacing;
  await service.close();
});
