// Runs the SIP suite in a network of its own: `npm run test:sip`. `npm run sip` runs it at full size, and writes what was seen to
// docs/telephony.md; `npm run sip -- e2e/sip/many.test.ts` does so for one part.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeTables } from './support/tables.ts';

const root = path.resolve(import.meta.dirname, '../..');
const BRIDGE = process.env.LIVEKIT_SIP_BIN ?? 'livekit-sip';
/** The bridge binds its audio to every address, and a WebRTC client offers none of loopback: both need one more. */
const NETWORK = [
  'ip link set lo up',
  'ip link add lab0 type veth peer name lab1',
  'ip addr add 10.255.77.1/30 dev lab0',
  'ip link set lab0 up',
  'ip link set lab1 up',
  'exec "$@"',
].join(' && ');

/** Why the suite cannot run here, or null. */
function missing(): string | null {
  const works = (command: string, ...args: string[]) => !spawnSync(command, args, { stdio: 'ignore' }).error;
  if (!works(BRIDGE, '--version')) return 'no livekit-sip on PATH';
  const server = process.env.LIVEKIT_SERVER_BIN ?? 'livekit-server';
  if (!works(server, '--version')) return 'no livekit-server on PATH';
  for (const [command, from] of [
    ['redis-server', 'redis-server'],
    ['sipp', 'sip-tester'],
    ['ip', 'iproute2'],
  ] as const) {
    if (!works(command, '--version')) return `no ${command} on PATH (apt-get install ${from})`;
  }
  const { status } = inNetwork(['true'], 'ignore');
  return status === 0 ? null : 'a network namespace of its own needs root (unshare -n)';
}

function inNetwork(command: string[], stdio: 'inherit' | 'ignore', env: Record<string, string> = {}) {
  return spawnSync('unshare', ['-n', 'sh', '-c', NETWORK, 'sh', ...command], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio,
  });
}

const write = process.argv.includes('--write');
const reason = missing();
if (reason) {
  console.log(`not run: ${reason}`);
  // Nothing was seen that could be written.
  process.exitCode = write ? 1 : 0;
} else {
  const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  const tests = files.length > 0 ? files : globSync('e2e/sip/*.test.ts', { cwd: root }).sort();
  // At full size a file at a time: what one has seen is kept although another fails, and each can be run again by its name.
  for (const some of write ? tests.map((file) => [file]) : [tests]) run(some);
}

function run(tests: string[]): void {
  const seen = mkdtempSync(path.join(tmpdir(), 'switchboard-sip-seen-'));
  const options = ['--test', '--test-concurrency=1', '--test-timeout=3600000', '--test-force-exit'];
  const env = { SIP_SEEN: seen, ...(write && { SIP_SCALE: 'full' }) };
  const { status } = inNetwork([process.execPath, ...options, ...tests], 'inherit', env);
  if (status !== 0) process.exitCode = status ?? 1;
  else if (write) writeTables(root, seen);
  rmSync(seen, { recursive: true });
}
