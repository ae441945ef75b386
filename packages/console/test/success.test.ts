import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SwitchboardError } from '@switchboard/client';
import { ofOneExtractor, readSuccess, successBy } from '../src/data/success.ts';

test('the success of an agent is what the extractor says that has judged most of its calls: no call counts twice', () => {
  const judged = [
    { agent_id: 'desk', extractor: 'outcome', calls: 4, mean: 0.5 },
    { agent_id: 'desk', extractor: 'visit', calls: 10, mean: 0.8 },
    { agent_id: 'desk', extractor: 'zeal', calls: 10, mean: 0.1 },
    { agent_id: 'survey', extractor: 'outcome', calls: 2, mean: 0 },
  ];
  assert.deepEqual(
    [...successBy(judged, ({ agent_id }) => agent_id)],
    [
      ['desk', { rate: 0.8, judged: 10, extractor: 'visit' }],
      ['survey', { rate: 0, judged: 2, extractor: 'outcome' }],
    ],
  );
});

test('versions are compared by one extractor, that which has judged most of their calls', () => {
  const judged = [
    { agent_version: 1, extractor: 'outcome', calls: 20, mean: 0.5 },
    { agent_version: 1, extractor: 'visit', calls: 15, mean: 0.9 },
    { agent_version: 2, extractor: 'visit', calls: 10, mean: 0.8 },
    { agent_version: 2, extractor: 'outcome', calls: 2, mean: 1 },
    { agent_version: 2, extractor: 'other', calls: 90, mean: null },
    { agent_version: 3, extractor: 'outcome', calls: 1, mean: 0 },
  ];
  assert.deepEqual(
    [...successBy(ofOneExtractor(judged), ({ agent_version }) => agent_version)],
    [
      [1, { rate: 0.9, judged: 15, extractor: 'visit' }],
      [2, { rate: 0.8, judged: 10, extractor: 'visit' }],
    ],
    'version 3 is not judged by it',
  );
  assert.deepEqual(ofOneExtractor([]), []);
});

test('a report of analyses that fails leaves no success, and the other figures', async () => {
  const refused = new SwitchboardError('invalid_request', 'There are more than 10,000 groups.', { status: 422 });
  const api = { stats: { analyses: () => Promise.reject(refused) } };
  const asked = { start_date: '2026-01-15', group_by: 'agent' } as const;
  assert.deepEqual(await readSuccess(api, asked, new AbortController().signal), []);
});
