// Generates the JSON schema of the format, which editors read. With --check, fails if it is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FORMAT, Scenario } from '../src/schema.ts';

const file = path.resolve(import.meta.dirname, '../scenario.schema.json');
// The draft that all editors know; the format uses nothing newer.
const text = `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', $comment: FORMAT, ...Scenario }, null, 2)}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('Out of date: packages/scenarios/scenario.schema.json. Run npm run generate.');
  process.exitCode = 1;
}
