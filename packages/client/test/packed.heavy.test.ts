// The package as its users get it: built, packed, installed in an empty project, compiled strictly, and run by every
// runtime of this machine. The program is the README's.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { startService } from '@switchboard/testkit/service.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const client = path.resolve(import.meta.dirname, '..');
const work = mkdtempSync(path.join(tmpdir(), 'switchboard-packed-'));
const project = path.join(work, 'project');
mkdirSync(project);
after(() => rmSync(work, { recursive: true, force: true, maxRetries: 5 }));

const readme = readFileSync(path.join(client, 'README.md'), 'utf8');
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code);

const pages = new Map<string, { type: string; text: string }>();
const results: string[] = [];
const site = await serveHttp(async (request, response) => {
  if (request.method === 'POST') results.push((await request.toArray()).join(''));
  const page = pages.get(request.url ?? '');
  response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/plain' }).end(page?.text);
});
after(site.close);
const service = await startService({ env: { AUTH_MODE: 'required', CORS_ORIGINS: site.url } });
const { key } = await keysOf(service.database).create({ name: 'a backend', role: 'service', user_id: null });

const execute = promisify(execFile);
async function run(command: string, args: string[], cwd = project): Promise<string> {
  const { stdout } = await execute(command, args, { cwd, timeout: 60_000 }).catch((error) => {
    throw new Error(`${command} ${args.join(' ')}\n${error.message}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}
const npm = (args: string[], cwd = project) => run('npm', args, cwd);

/** README's program against the service of this test, and what shows that its receiver of callbacks works. */
function program(): string {
  const code = blocks('ts').join('\n').replaceAll('http://127.0.0.1:8000', service.url).replaceAll('sb_…', key);
  return code + readFileSync(path.join(client, 'test/packed/epilogue.txt'), 'utf8');
}

test('README’s commands build the package, and an empty project installs it', async () => {
  const commands = blocks('sh').join('').trim().split('\n');
  const [build, pack, install] = commands.map((command) => command.split(' ').slice(1));
  const dist = path.join(work, 'dist');
  await npm([...(build ?? []), '--', dist], root);
  assert.deepEqual(pack, ['pack', './packages/client/dist']);
  await npm(['pack', dist]);
  // The dependency from this installation: a machine without network can run this.
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await npm(['pack', '--ignore-scripts', path.join(root, 'node_modules', name)]);
  writeFileSync(path.join(project, 'package.json'), '{"type": "module", "private": true}');
  const others = readdirSync(project).filter((file) => file.startsWith('openapi'));
  await npm([...(install ?? []), ...others, '--offline', '--no-audit', '--no-fund']);
  const installed = path.join(project, 'node_modules/@switchboard/client');
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  assert.deepEqual(Object.keys(manifest.dependencies), ['openapi-fetch']);
  assert.equal(manifest.private, undefined);
  // The outbox flushes files by an option that earlier versions ignore.
  assert.equal(manifest.engines.node, '>=20.10');
  assert.ok(readme.includes('for Node.js 20.10 and later'));
  assert.deepEqual(
    readdirSync(installed).filter((file) => /\.ts$/.test(file) && !/\.d\.ts$/.test(file)),
    [],
  );
});

test('README’s program and a page’s compile with the strictest settings, without types of Node.js', async () => {
  writeFileSync(path.join(project, 'readme.ts'), program());
  copyFileSync(path.join(client, 'test/packed/browser.ts'), path.join(project, 'browser.ts'));
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    outDir: 'built',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    skipLibCheck: false,
    noUnusedLocals: false,
  };
  writeFileSync(
    path.join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['readme.ts', 'browser.ts'] }),
  );
  for (const typescript of [client, root])
    await run(process.execPath, [path.join(typescript, 'node_modules/typescript/bin/tsc'), '-p', project]);
});

for (const [name, command] of runtimes())
  test(`README’s program runs under ${name}`, async () => {
    rmSync(path.join(project, '.outbox'), { recursive: true, force: true });
    const [file = '', ...args] = command;
    // A user for each, so that none finds the calls of another.
    const code = readFileSync(path.join(project, 'built/readme.js'), 'utf8');
    writeFileSync(path.join(project, 'program.js'), code.replaceAll('user-1', `user-${name.replaceAll(/\W/g, '-')}`));
    const lines = (await run(file, [...args, 'program.js'])).trim().split('\n');
    assert.deepEqual(
      lines.filter((line) => !line.endsWith(' rings')),
      [
        'OUTBOUND',
        '200 true',
        '1 0',
        'body.phone_number string_pattern_mismatch',
        'true',
        '1 true',
        'RINGING',
        'ANSWERED',
        'AGENT: Hello!',
        'COMPLETED',
        '1',
        '2',
        '3',
        '4',
        '2 events',
        '0.00075 0.10075 1234.56 0',
        '0 0 0 0',
        'call.answered ANSWERED msg_1',
        '204 400 wrong_signature',
      ],
    );
  });

test('README’s receiver in plain Node.js takes signed callbacks, no others, and survives requests that break off', async (t) => {
  const user = 'receiver-user';
  const port = await freePort();
  const auth = { headers: { authorization: `Bearer ${key}` }, user };
  const { body } = await service.request('GET', '/api/callbacks/secret', auth);
  const [code = ''] = blocks('js');
  writeFileSync(path.join(project, 'receiver.js'), code.replace('3000', String(port)));
  const env = { ...process.env, CALLBACK_SECRET: body.secret };
  const receiver = startProgram([process.execPath, 'receiver.js'], { cwd: project, env });
  t.after(() => receiver.end('SIGKILL'));
  const url = `http://127.0.0.1:${port}/`;
  const forged = () => fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined);
  const refused = await eventually(forged, (answer) => answer !== undefined);
  assert.equal(refused?.status, 400);
  const rude = connect(port, '127.0.0.1');
  rude.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{', () => rude.destroy());
  await once(rude, 'close');
  // The connection may be cut before the answer is read.
  const long = fetch(url, { method: 'POST', body: 'x'.repeat(10_000_001) }).then(({ status }) => status);
  assert.equal(await long.catch(() => 500), 500);
  const endpoint = await service.request('POST', '/api/webhook-endpoints', { ...auth, body: { url } });
  await service.request('POST', `/api/webhook-endpoints/${endpoint.body.id}/test`, auth);
  await receiver.until(() => /^webhook\.test /m.test(receiver.output()), 30_000);
});

const chromium = find('chromium');
if (chromium)
  test('a page uses it in Chromium, by an import map', async () => {
    const file = (name: string) => path.join(project, 'node_modules', name);
    for (const name of readdirSync(file('@switchboard/client'), { recursive: true }) as string[])
      if (name.endsWith('.js')) await serve(`/client/${name}`, file(`@switchboard/client/${name}`));
    await serve('/openapi-fetch.js', file('openapi-fetch/dist/index.mjs'));
    await serve('/browser.js', path.join(project, 'built/browser.js'));
    const imports = { '@switchboard/client': '/client/index.js', 'openapi-fetch': '/openapi-fetch.js' };
    const script = `import { tryInPage } from '/browser.js';
      const result = await tryInPage('${service.url}', '${key}').catch((error) => String(error?.stack));
      await fetch('/result', { method: 'POST', body: result });`;
    const text = `<script type="importmap">${JSON.stringify({ imports })}</script><script type="module">${script}</script>`;
    pages.set('/', { type: 'text/html', text });
    const options = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${path.join(work, 'profile')}`];
    const browser = startProgram([chromium, ...options, site.url], { env: { ...process.env, HOME: work } });
    await browser.until(() => results.length > 0, 60_000);
    await browser.end('SIGKILL');
    assert.deepEqual(results, ['ok']);
  });

async function serve(url: string, file: string): Promise<void> {
  pages.set(url, { type: 'text/javascript', text: await readFile(file, 'utf8') });
}

/** Runtimes of this machine, and the Node.js of the repository. */
function runtimes(): [name: string, command: string[]][] {
  const system = find('node');
  const version = system && execFileSync(system, ['--version'], { encoding: 'utf8' }).trim();
  const [major = 0, minor = 0] = version?.slice(1).split('.').map(Number) ?? [];
  const isRecent = major > 20 || (major === 20 && minor >= 10);
  const [deno, bun] = [find('deno'), find('bun')];
  return [
    [`Node.js ${process.version}`, [process.execPath]],
    ...(system && isRecent ? ([[`the system's Node.js ${version}`, [system]]] as [string, string[]][]) : []),
    ...(deno ? ([['Deno', [deno, 'run', '--allow-all', '--no-prompt']]] as [string, string[]][]) : []),
    ...(bun ? ([['Bun', [bun]]] as [string, string[]][]) : []),
  ];
}

/** A command that is installed on this machine, outside the repository. */
function find(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.startsWith(root));
  return folders
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        accessSync(file);
        return true;
      } catch {
        return false;
      }
    });
}
