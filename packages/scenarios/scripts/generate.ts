// Generates the JSON schemas of the formats, which editors read. With --check, fails if one is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CASSETTE_FORMAT, Cassette } from '../src/cassette/format.ts';
import { FORMAT, Scenario } from '../src/schema.ts';

const SCHEMAS = {
  'scenario.schema.json': { $comment: FORMAT, ...Scenario },
  'cassette.schema.json': { $comment: CASSETTE_FORMAT, ...Cassette },
};

for (const [name, schema] of Object.entries(SCHEMAS)) {
  const file = path.resolve(import.meta.dirname, '..', name);
  // The draft that all editors know; the formats use nothing newer.
  const text = `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`Out of date: packages/scenarios/${name}. Run npm run generate.`);
    process.exitCode = 1;
  }
}
