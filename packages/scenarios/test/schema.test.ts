import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { parse } from 'yaml';

const packages = path.resolve(import.meta.dirname, '../..');

test('the published schema accepts the scenarios of all templates, and refuses a field that the format does not have', () => {
  const published = JSON.parse(readFileSync(path.join(packages, 'scenarios/scenario.schema.json'), 'utf8'));
  const schema = Compile(published);
  const files = globSync('templates/scenarios/*/*.yaml', { cwd: packages });
  assert.ok(files.length > 0);
  for (const file of files) {
    const value = parse(readFileSync(path.join(packages, file), 'utf8'));
    assert.deepEqual(schema.Errors(value), [], file);
    assert.equal(schema.Check({ ...value, expects: [] }), false);
    assert.equal(schema.Check({ ...value, expect: [{ agent_sais: 'x' }] }), false);
  }
});

test('the published schema uses no keyword that is newer than its draft', () => {
  const published = readFileSync(path.join(packages, 'scenarios/scenario.schema.json'), 'utf8');
  assert.match(published, /^\{\n {2}"\$schema": "http:\/\/json-schema\.org\/draft-07\/schema#",/);
  // Keywords of later drafts, which editors ignore without a word.
  assert.doesNotMatch(published, /"(?:\$defs|prefixItems|unevaluatedProperties|dependentRequired)"/);
});
