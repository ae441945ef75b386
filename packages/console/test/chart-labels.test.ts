import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelledColumns } from '../src/ui/stack.ts';

test('a chart of any number of days has labels for the first and the last one, and room for all of them', () => {
  for (const most of [3, 5])
    for (let days = 1; days <= 400; days++) {
      const labels = labelledColumns(days, most);
      const last = days - 1;
      assert.deepEqual([labels[0], labels.at(-1)], [0, last]);
      assert.ok(labels.length <= most, `${days} days: ${labels}`);
      // A label is about a seventh as wide as the narrowest chart.
      for (const [index, place] of labels.slice(1).entries())
        assert.ok((place - (labels[index] ?? 0)) * 7 >= last, `${days} days: ${labels}`);
    }
  assert.deepEqual(labelledColumns(0, 5), []);
  assert.deepEqual(labelledColumns(8, 5), [0, 2, 4, 7]);
});
