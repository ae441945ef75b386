// Lints the published description, and generates clients that compile and work. Needs `npm ci` in
// e2e/clients, and the Python packages in requirements.txt in the virtual environment named by CLIENTS_PYTHON.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';

const tools = import.meta.dirname;
const description = path.resolve(import.meta.dirname, '../../packages/server/openapi.json');
const python = process.env.CLIENTS_PYTHON ?? 'python3';
const work = mkdtempSync(path.join(tmpdir(), 'switchboard-clients-'));
after(() => rmSync(work, { recursive: true, force: true }));
cpSync(path.join(tools, 'programs'), work, { recursive: true });
symlinkSync(path.join(tools, 'node_modules'), path.join(work, 'node_modules'));
writeFileSync(path.join(work, 'package.json'), '{"type": "commonjs"}');

const service = await startService({ env: { AUTH_MODE: 'required' } });
const { key } = await keysOf(service.database).create({ name: 'customer', role: 'user', user_id: 'user-1' });

const execute = promisify(execFile);
async function run(command: string, args: string[], cwd = work): Promise<string> {
  const env = { ...process.env, BASE_URL: service.url, API_KEY: key, REDOCLY_TELEMETRY: 'off', MYPYPATH: work };
  const { stdout } = await execute(command, args, { cwd, env, maxBuffer: 1e8 }).catch((error) => {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}
const bin = (name: string) => path.join(tools, 'node_modules/.bin', name);

test('redocly reports nothing beyond the listed exceptions', async () => {
  await run(bin('redocly'), ['lint', description], tools);
});

test('spectral reports nothing beyond the listed exceptions', async () => {
  await run(bin('spectral'), ['lint', '--fail-severity=warn', '--ruleset', '.spectral.yaml', description], tools);
});

test('clients of openapi-typescript and @hey-api/openapi-ts compile in strict mode and work', async () => {
  await run(bin('openapi-typescript'), [description, '-o', 'generated/schema.ts']);
  await run(bin('openapi-ts'), ['-i', description, '-o', 'generated/hey', '-c', '@hey-api/client-fetch']);
  const programs = ['openapi-fetch.ts', 'hey-api.ts'];
  const options = ['--strict', '--target', 'es2022', '--module', 'commonjs', '--moduleResolution', 'node10'];
  await run(bin('tsc'), [...options, '--skipLibCheck', '--types', 'node', '--outDir', 'built', ...programs]);
  for (const program of programs)
    assert.equal(await run('node', [`built/${program.replace('.ts', '.js')}`]), 'ok\n', program);
});

test('the client of openapi-python-client type-checks, works, and has one class for each enum', async () => {
  const generate = ['generate', '--path', description, '--meta', 'none', '--output-path', 'generated_client'];
  await run(path.join(path.dirname(python), 'openapi-python-client'), generate);
  await run(python, ['-m', 'mypy', '--strict', '--follow-imports=silent', 'python_client.py']);
  assert.equal(await run(python, ['python_client.py']), 'ok\n');
  const models = readdirSync(path.join(work, 'generated_client/models'));
  const { schemas } = JSON.parse(readFileSync(description, 'utf8')).components;
  const enums = Object.keys(schemas).filter((name) => 'enum' in schemas[name]);
  assert.ok(enums.length > 8);
  const classes = globSync('generated_client/models/*.py', { cwd: work }).flatMap((file) =>
    [...readFileSync(path.join(work, file), 'utf8').matchAll(/^class (\w+)\((?:str, Enum|StrEnum)\)/gm)].map(
      ([, name]) => name,
    ),
  );
  for (const name of enums) assert.equal(classes.filter((one) => one === name).length, 1, name);
  assert.deepEqual(
    models.filter((file) => /_type_\d/.test(file)),
    [],
    'no class stands for half of a type',
  );
});
