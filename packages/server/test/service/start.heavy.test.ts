import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { copyTemplate } from '@switchboard/testkit/template.ts';
import { lockDirectory } from '../../src/db/lock.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const scratch = await mkdtemp(path.join(tmpdir(), 'switchboard-start-'));
const running = new Set<ChildProcess>();
after(async () => {
  // Each leads a process group of its own, so that nothing is left behind when a test fails.
  for (const { pid } of running) if (pid) process.kill(-pid, 'SIGKILL');
  await rm(scratch, { recursive: true, force: true });
});

/** Runs a command in a process group of its own, as a terminal does. */
function run(command: string, args: string[], options: { cwd: string; env?: Record<string, string> }) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|DATABASE_URL)/.test(name));
  const env = { ...Object.fromEntries(inherited), ...options.env };
  const child = spawn(command, args, { cwd: options.cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  const exit = once(child, 'exit').then(([code, signal]) => {
    // A process that is left over keeps the group: it is cleared away at the end.
    if (!groupIsAlive(child)) running.delete(child);
    return code ?? signal;
  });
  /** Resolves when something more is printed. */
  const more = () => Promise.race([child.stdout, child.stderr].map((stream) => once(stream, 'data')));
  return { child, output: () => output, more, exit };
}

async function failed({ exit, output }: ReturnType<typeof run>): Promise<never> {
  return assert.fail(`ended with ${await exit}: ${output()}`);
}

function groupIsAlive({ pid }: ChildProcess): boolean {
  try {
    process.kill(-(pid ?? assert.fail()), 0);
    return true;
  } catch {
    return false;
  }
}

/** `npm start`, or another command that starts the service, in the repository, ready to serve. */
async function npmStart(name: string, command = ['start'], more: Record<string, string> = {}) {
  const DATA_DIR = path.join(scratch, name);
  // The demo of another test makes its database, which takes seconds of computing.
  await copyTemplate(DATA_DIR);
  const started = run('npm', command, { cwd: root, env: { DATA_DIR, PORT: '0', LOG_FORMAT: 'json', ...more } });
  // Without a limit of its own: how long a start takes is the machine's affair.
  while (!/is ready on http/.test(started.output())) await Promise.race([started.more(), failed(started)]);
  const text = started.output();
  const port = Number(/ready on http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1] ?? assert.fail(text));
  return { ...started, DATA_DIR, port };
}

async function assertFree({ child, port, DATA_DIR }: Awaited<ReturnType<typeof npmStart>>): Promise<void> {
  assert.equal(groupIsAlive(child), false, 'no process of npm start is left');
  const socket = net.connect(port, '127.0.0.1');
  const [error] = await once(socket, 'error');
  assert.equal(error.code, 'ECONNREFUSED');
  lockDirectory(DATA_DIR)();
}

test('SIGTERM to npm start stops everything: once npm has exited, port and data directory are free', async () => {
  const service = await npmStart('sigterm');
  service.child.kill('SIGTERM');
  assert.equal(await service.exit, 0, service.output());
  assert.match(service.output(), /"stopped"/);
  await assertFree(service);
});

test('recordings that cannot be stored are reported at the start, and calls are taken without them', async () => {
  const service = await npmStart('unwritable', ['start'], { RECORDINGS_DIR: '/dev/null/recordings' });
  while (!/recordings cannot be stored/.test(service.output())) await Promise.race([service.more(), failed(service)]);
  assert.match(
    service.output(),
    /"recordings cannot be stored: the folder \/dev\/null\/recordings fails: .*Set RECORDINGS_DIR/,
  );
  service.child.kill('SIGTERM');
  assert.equal(await service.exit, 0, service.output());
});

test('Ctrl-C in the terminal of npm start lets the service finish, although npm forwards the signal a second time', async () => {
  const service = await npmStart('sigint');
  process.kill(-(service.child.pid ?? assert.fail()), 'SIGINT');
  assert.equal(await service.exit, 0, service.output());
  assert.equal(service.output().match(/SIGINT received/g)?.length, 1);
  assert.match(service.output(), /"stopped"/);
  await assertFree(service);
});

for (const [name, signal, send] of [
  ['SIGTERM to npm', 'SIGTERM', (pid: number) => process.kill(pid, 'SIGTERM')],
  ['Ctrl-C in the terminal', 'SIGINT', (pid: number) => process.kill(-pid, 'SIGINT')],
] as const) {
  test(`${name} ends npm run demo, its service and its data`, async () => {
    const TMPDIR = await mkdtemp(path.join(scratch, 'demo-'));
    // Nothing answers there, so that the demo starts a service of its own; told slowly, it goes on for long.
    const env = { TMPDIR, BASE_URL: 'http://127.0.0.1:1', DEMO_SPEED: 'normal' };
    const demo = run('npm', ['run', 'demo'], { cwd: root, env });
    while (!/\bready\b/.test(demo.output())) await Promise.race([demo.more(), failed(demo)]);
    send(demo.child.pid ?? assert.fail());
    await demo.exit;
    assert.equal(groupIsAlive(demo.child), false, `no process of the demo is left after ${signal}`);
    assert.deepEqual(
      (await readdir(TMPDIR)).filter((file) => file.startsWith('switchboard-')),
      [],
      demo.output(),
    );
  });
}

test('SIGTERM to npm run dev leaves no process behind', async () => {
  const service = await npmStart('dev', ['run', 'dev']);
  service.child.kill('SIGTERM');
  await service.exit;
  await eventually(
    async () => groupIsAlive(service.child),
    (isAlive) => !isAlive,
  );
  await assertFree(service);
});

test('every command runs in the shell of Windows too, which has no exec', async () => {
  for (const file of ['package.json', 'worker/package.json', 'examples/web-call/package.json']) {
    const { scripts } = JSON.parse(await readFile(path.join(root, file), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const [name, command] of Object.entries(scripts)) {
      const inWindows = command.split(' || ').at(-1) ?? '';
      assert.doesNotMatch(inWindows, /^exec |\$|'|^\w+=|; /, `${name} in ${file}`);
    }
  }
});

test('npm passes arguments on to the commands that take some', async () => {
  const env = { DATA_DIR: path.join(scratch, 'arguments') };
  await copyTemplate(env.DATA_DIR);
  for (const [command, args, printed] of [
    ['rollups', ['verify'], /all as the events, the calls and their analyses say/],
    ['prices', ['export'], /^provider,event_type,/m],
    ['talk', ['--stay'], null],
  ] as const) {
    // An argument comes to stand behind the last of several commands.
    const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    assert.doesNotMatch(scripts[command], /[|&;]/, command);
    if (!printed) continue;
    const { exit, output } = run('npm', ['run', '-s', command, '--', ...args], { cwd: root, env });
    assert.equal(await exit, 0, output());
    assert.match(output(), printed);
  }
});

/** Every command that a person types runs something else than plain JavaScript. */
const COMMANDS = ['start', 'demo', 'doctor', 'keys', 'prices', 'rollups'];

/** A copy of the repository, with the packages of the real one or with none. */
async function copyOf(name: string, withPackages: boolean): Promise<string> {
  const cwd = path.join(scratch, name);
  for (const part of ['packages', 'demo', 'package.json', '.npmrc'])
    await cp(path.join(root, part), path.join(cwd, part), { recursive: true });
  if (withPackages) await symlink(path.join(root, 'node_modules'), path.join(cwd, 'node_modules'));
  return cwd;
}

test('before npm ci, each command prints one line that says what to do', async () => {
  const cwd = await copyOf('bare', false);
  for (const command of COMMANDS) {
    const { exit, output } = run('npm', ['run', '-s', command], { cwd });
    assert.equal(await exit, 1, command);
    const lines = output()
      .split('\n')
      .filter((line) => line && !line.startsWith('npm warn'));
    assert.deepEqual(lines.length, 1, output());
    assert.match(lines[0] ?? '', /^Switchboard cannot start: its packages are not installed .*Run "npm ci"\.$/);
  }
});

test('before npm ci in its folder the worker prints one line that says what to do', async () => {
  const cwd = path.join(scratch, 'worker');
  const filter = (file: string) => path.basename(file) !== 'node_modules';
  await cp(path.join(root, 'worker'), cwd, { recursive: true, filter });
  for (const command of ['start', 'outbox']) {
    const { exit, output } = run('npm', ['run', '-s', command], { cwd });
    assert.equal(await exit, 1, command);
    assert.match(output(), /^The worker cannot start: its packages are not installed .*Run "npm ci" .*\.\n$/);
  }
});

test('on an older Node.js each command names the required version', async () => {
  const cwd = await copyOf('old', true);
  const old = oldNode();
  // Where no older one is installed, this one is told to call itself so: the check reads nothing else.
  const pretend = path.join(scratch, 'pretend.cjs');
  const versions = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });";
  await writeFile(pretend, `${versions}\nObject.defineProperty(process, 'version', { value: 'v20.20.2' });\n`);
  const args = old ? [] : ['-r', pretend];
  for (const entry of [
    ['packages/server/src/start.cjs'],
    ['-r', './packages/server/src/preflight.cjs', 'packages/server/scripts/keys.ts'],
  ]) {
    const { exit, output } = run(old ?? process.execPath, [...args, ...entry], { cwd });
    assert.equal(await exit, 1);
    assert.match(
      output(),
      /^Switchboard cannot start: it needs Node\.js 24 or newer, and this is v\d+\.\d+\.\d+\. .+\.\n$/,
    );
  }
});

/** A Node.js on this machine that cannot run the service. */
function oldNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.includes('node_modules'));
  return folders
    .map((folder) => path.join(folder, 'node'))
    .filter((file) => existsSync(file))
    .find(
      (file) => Number.parseInt(execFileSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10) < 24,
    );
}

test('every command runs the preflight check, and package.json requires the Node.js version that the code needs', async () => {
  const { default: manifest } = await import('../../../../package.json', { with: { type: 'json' } });
  assert.equal(manifest.engines.node, '>=24');
  for (const name of [...COMMANDS, 'postinstall'])
    assert.match(manifest.scripts[name as keyof typeof manifest.scripts], /src\/(preflight|start)\.cjs/, name);
});
