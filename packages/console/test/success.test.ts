import assert from 'node:assert/strict';
import { test } from 'node:test';
import { successBy } from '../src/data/success.ts';

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
