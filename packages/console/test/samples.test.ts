import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { addSamples, type Description } from '../src/reference/samples.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-samples-'));
after(() => rmSync(dir, { recursive: true }));
const description: Description = JSON.parse(readFileSync(path.join(root, 'packages/server/openapi.json'), 'utf8'));
addSamples(description, 'https://calls.example');
const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
const sources = new Map(operations.map((one) => [one.operationId, one['x-codeSamples']?.[0]?.source ?? '']));

test('every operation has a sample in TypeScript, and each compiles against the client', () => {
  assert.ok(sources.size > 80, String(sources.size));
  assert.deepEqual(
    [...sources].filter(([, source]) => !source).map(([id]) => id),
    [],
  );
  for (const [id, source] of sources) writeFileSync(path.join(dir, `${id}.ts`), source);
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'preserve',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
    paths: { '@switchboard/client': [path.join(root, 'packages/client/src/index.ts')] },
  };
  writeFileSync(path.join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', dir], { encoding: 'utf8', stdio: ['ignore', 'inherit', 'inherit'] });
});

test('a sample has the ids of the path, the example of the body, and the form of the response', () => {
  const lines = (id: string) => sources.get(id)?.split('\n').slice(7).join('\n');
  assert.equal(
    lines('updateAgent'),
    "console.log(await sb.agents.update('01980000-0000-7000-8000-000000000000', {\n  is_active: false,\n}));",
  );
  assert.equal(lines('deleteAgent'), "await sb.agents.delete('01980000-0000-7000-8000-000000000000');");
  assert.equal(
    lines('streamCallEvents'),
    "for await (const event of sb.calls.events('01980000-0000-7000-8000-000000000000')) console.log(event);",
  );
});
