import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOwnerLimit } from '../../src/lib/owner-limit.ts';

test('each owner holds up to the limit, and may take again what was given back', () => {
  const limit = createOwnerLimit(3);
  assert.deepEqual(
    [limit.take('one', 2), limit.take('one', 2), limit.take('one'), limit.take('two')],
    [true, false, true, true],
  );
  limit.giveBack('one', 2);
  assert.deepEqual([limit.take('one', 2), limit.take('one')], [true, false]);
  assert.deepEqual([limit.take('two', 1, 1), limit.take('two', 1, 2)], [false, true]);
});
