// Generates src/generated/ from the API description. With --check, fails if it is out of date.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTs, { astToString } from 'openapi-typescript';
import { METHODS } from '../src/methods.ts';
import { type Description, describeMethods } from './describe-methods.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const description = path.join(root, 'packages/server/openapi.json');
const HEADER = '// Generated from packages/server/openapi.json by `npm run generate`; do not edit.\n';

const types = await openapiTs(pathToFileURL(description), {
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  // Fields with a default are optional in requests.
  defaultNonNullable: false,
});
const methods = describeMethods(JSON.parse(await readFile(description, 'utf8')) as Description, METHODS);
const files = {
  'packages/client/src/generated/schema.ts': HEADER + astToString(types),
  'packages/client/src/generated/operations.ts': HEADER + methods,
};
const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  if (!process.argv.includes('--check')) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) stale.push(name);
}
if (stale.length > 0) {
  process.stderr.write(`Out of date: ${stale.join(', ')}. Run npm run generate.\n`);
  process.exitCode = 1;
}
