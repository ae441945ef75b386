import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../../../..');
const script = await readFile(path.join(root, '.ci/run'), 'utf8');
/** The npm commands in their order, with the settings before them. */
const commands = [...script.matchAll(/^.*\bnpm (?:test|ci|run)\b.*$/gm)]
  .map(([line]) => line.trim())
  .filter((line) => !/^(#|step)/.test(line));

test('CI runs the suite on PostgreSQL before anything else is tested, and ends with the whole suite', () => {
  const runs = script.split('\n').filter((line) => /\brun_tests \S/.test(line));
  assert.match(runs[0] ?? '', /^TEST_DATABASE_URL=.*\/run-tests\.ts /);
  assert.equal(runs.at(-1), 'run_tests npm test');
  const afterwards = script.slice(script.lastIndexOf('run_tests npm test\n') + 1);
  assert.ok(
    !/^(step|echo)/m.test(afterwards),
    'nothing is printed after the summary of the last run, unless it failed',
  );
});

test('CI runs no script that rewrites files under version control', () => {
  const rewriting = /npm run (-s |--silent )?(reliability|outreach|bench|generate|format|sip)\b/;
  assert.deepEqual(
    commands.filter((command) => rewriting.test(command)),
    [],
  );
});

test('every test file belongs to one of two commands, and CI runs both', async () => {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const filesOf = (command: string) => globSync(/"([^"]+)"$/.exec(scripts[command])?.[1] ?? '', { cwd: root });
  const [most, heavy] = [filesOf('test'), filesOf('test:heavy')];
  assert.ok(most.length > 100 && heavy.length > 2, `${most.length} and ${heavy.length} files`);
  assert.deepEqual([...most, ...heavy].sort(), globSync('packages/*/test/**/*.test.ts', { cwd: root }).sort());
  const onPostgres = [...script.matchAll(/<\(tests ([^)]+)\)/g)].flatMap(([, names = '']) => names.split(/[\s\\]+/));
  assert.ok(onPostgres.length > 10, script);
  for (const name of onPostgres) assert.ok(existsSync(path.join(root, `packages/server/test/${name}.test.ts`)), name);
  for (const line of [
    /^ {2}find packages\/\*\/test -name '\*\.heavy\.test\.ts' \| sort$/m,
    /^\} \| grep -vxF -f <\(.+\)\)$/m,
    /^run_tests .+\/run-tests\.ts --liftoff-only "\$\{heavy\[@\]\}"$/m,
    /^run_tests npm test$/m,
  ])
    assert.match(script, line);
});

/** Whether the file, or a file of this repository that it imports, directly or not, contains this. */
function leadsTo(file: string, pattern: RegExp): boolean {
  const seen = new Set([file]);
  for (const one of seen) {
    const text = readFileSync(one, 'utf8');
    if (pattern.test(text)) return true;
    for (const [, name = ''] of text.matchAll(/(?:from|import) '([^']+\.ts)'/g)) {
      const [, testkit] = /^@switchboard\/testkit\/(.+)/.exec(name) ?? [];
      const imported = testkit ? path.join(root, 'packages/testkit', testkit) : path.resolve(path.dirname(one), name);
      if (existsSync(imported)) seen.add(imported);
    }
  }
  return false;
}

test('CI runs every test on PostgreSQL that can run there, except some that take longest', () => {
  const [, pattern = ''] = /grep -lE '([^']+)' -r packages\/server\/test/.exec(script) ?? [];
  const all = globSync('packages/server/test/**/*.test.ts', { cwd: root }).map((file) => path.join(root, file));
  const able = all.filter((file) => leadsTo(file, /process\.env\.TEST_DATABASE_URL\b/));
  assert.ok(able.length > 50, `${able.length} files`);
  assert.deepEqual(
    able.filter((file) => !new RegExp(pattern).test(readFileSync(file, 'utf8'))),
    [],
  );
});

/** Runs the script with one command in place of its steps, in a repository of its own that `setUp` has changed. */
async function runWith(command: string, setUp = ''): Promise<{ status: number | null; stderr: string }> {
  const repository = await mkdtemp(path.join(tmpdir(), 'switchboard-ci-'));
  after(() => rm(repository, { recursive: true, force: true }));
  const [begin = '', steps = ''] = script.split(/^(?=step "npm ci")/m);
  const end = steps.slice(steps.lastIndexOf('\nrun_tests npm test\n')).replace('run_tests npm test', command);
  await mkdir(path.join(repository, '.ci'));
  await writeFile(path.join(repository, '.ci/run'), begin + end);
  await writeFile(path.join(repository, 'README.md'), 'as committed\n');
  const commit = 'git init -q && git add . && git -c user.name=x -c user.email=x@localhost commit -qm x';
  const prepared = spawnSync('bash', ['-ec', `${commit}\n${setUp}`], { cwd: repository, encoding: 'utf8' });
  assert.equal(prepared.status, 0, prepared.stderr);
  return spawnSync('bash', ['.ci/run'], { cwd: repository, encoding: 'utf8' });
}

for (const [name, command, setUp, isRefused] of [
  ['a step that changes a file under version control', 'echo changed >README.md', '', true],
  ['one that changes a file that was changed before', 'echo again >README.md', 'echo changed >README.md', true],
  ['one that changes a file of a clone that belongs to someone else', 'echo changed >README.md', 'chown -R 1 .', true],
  ['a file that was changed before', 'true', 'echo changed >README.md', false],
  ['a step that adds a file', 'echo added >build.log', '', false],
  ['a directory that is no clone', 'echo changed >README.md', 'rm -rf .git', false],
  ['a step that leaves no clone', 'rm .git/HEAD', 'echo changed >README.md', true],
] as const) {
  // Only root can give files away.
  if (setUp.startsWith('chown') && process.getuid?.() !== 0) continue;
  test(`CI ${isRefused ? 'refuses' : 'accepts'} ${name}`, async () => {
    const { status, stderr } = await runWith(command, setUp);
    assert.equal(status !== 0, isRefused, stderr);
    if (command.endsWith('>README.md') && isRefused) assert.match(stderr, /changed files .*\n.*README\.md/);
  });
}

test('CI shows at the end of a step which tests of it have failed, and why', async () => {
  const good = `require('node:test').test('a good one', () => {});`;
  const bad = `require('node:test').test('a bad one', () => { throw new Error('the reason'); });`;
  const setUp = `printf %s "${bad}" >bad.test.cjs; printf %s "${good}" >good.test.cjs`;
  const run = (file: string) => `env -u NODE_TEST_CONTEXT '${process.execPath}' --test ${file}.test.cjs`;
  const { status, stderr } = await runWith(`run_tests eval "${run('bad')} && exit; ${run('good')}; false"`, setUp);
  assert.notEqual(status, 0);
  assert.match(stderr, /^== failed: .*✖ a bad one.*the reason/ms);
  assert.doesNotMatch(stderr, /a good one/);
});
