import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const dockerfile = read('worker/Dockerfile');
/** Paths that the Dockerfile copies out of the repository. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));

test("the worker's image has the base of the service's", () => {
  const bases = (text: string) => new Set([...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base));
  assert.deepEqual(bases(dockerfile), bases(read('Dockerfile')));
});

test("the ignore file of the worker's image includes everything that it copies", () => {
  const allowed = [...read('worker/Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name);
  assert.deepEqual(allowed.sort(), copied.sort());
});

test("every file that is imported in the worker's image is in it, and every package is a production dependency", () => {
  const files = copied.flatMap((name) =>
    name.endsWith('.ts') ? [name] : globSync(`${name}/**/*.{ts,json}`, { cwd: root }).toSorted(),
  );
  assert.ok(files.length > 30 && files.includes('worker/worker.ts') && files.includes('packages/client/src/index.ts'));
  const inImage = new Set(files);
  const missing = files.flatMap((file) =>
    [...read(file).matchAll(/(?:from |import\()'([^']+)'/g)]
      .map(([, name = '']) => name)
      .filter((name) => (name.startsWith('.') ? !inImage.has(path.join(path.dirname(file), name)) : !has(file, name)))
      .map((name) => `${file} -> ${name}`),
  );
  assert.deepEqual(missing, []);
});

function has(file: string, name: string): boolean {
  const manifest = `${/^(worker|packages\/\w+)/.exec(file)?.[0]}/package.json`;
  const { dependencies, name: own } = JSON.parse(read(manifest));
  const [scope = '', second] = name.split('/');
  const wanted = scope.startsWith('@') ? `${scope}/${second}` : scope;
  return wanted in dependencies || isBuiltin(name) || wanted === own;
}

test("the worker's image starts a file that is there, and its spool is on a volume", () => {
  assert.match(dockerfile, /^WORKDIR \/app\/worker$/m);
  assert.match(dockerfile, /^CMD \["node", "worker\.ts"\]$/m);
  assert.match(dockerfile, /SPOOL_DIR=\/spool/);
  assert.match(dockerfile, /^VOLUME \/spool$/m);
  assert.ok(existsSync(path.join(root, 'worker/worker.ts')));
});
