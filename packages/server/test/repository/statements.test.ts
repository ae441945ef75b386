import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const src = path.resolve(import.meta.dirname, '../../src');
const texts = (glob: string) => globSync(glob, { cwd: src }).map((file) => readFileSync(path.join(src, file), 'utf8'));

test('no prepared statement takes all columns of a table: it would fail once a migration adds one', () => {
  const tables = new Set(
    texts('db/migrations/*.sql').flatMap((sql) =>
      Array.from(sql.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/gi), ([, name]) => name),
    ),
  );
  const prepared = texts('**/*.ts').flatMap((text) => text.match(/-- prepared: \w+[^`]*/g) ?? []);
  assert.ok(tables.size > 50 && prepared.length > 40, `${tables.size} tables, ${prepared.length} statements`);
  const found = prepared.filter((statement) =>
    Array.from(statement.matchAll(/\*\s+from\s+(\w+)|(\w+)\.\*/g), ([, from, of]) => from ?? of).some((name) =>
      tables.has(name),
    ),
  );
  assert.deepEqual(found, []);
});
