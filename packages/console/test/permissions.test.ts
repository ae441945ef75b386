import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../../..');

test('every operation that a button or a page needs is one of the API', () => {
  const { paths } = JSON.parse(readFileSync(path.join(root, 'packages/server/openapi.json'), 'utf8'));
  const operations = Object.values(paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    (methods) => Object.values(methods).map(({ operationId }) => operationId),
  );
  const needed = globSync('packages/console/src/**/*.tsx', { cwd: root }).flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return [...text.matchAll(/needs[=:] ?["'](\w+)["']|useMay\('(\w+)'\)/g)].map(([, button, page]) => button ?? page);
  });
  assert.ok(needed.length > 25, String(needed.length));
  assert.deepEqual(
    needed.filter((one) => one === undefined || !operations.includes(one)),
    [],
  );
});
