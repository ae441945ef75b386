// Runs the SIP suite in its own network: `npm run test:sip`. `npm run sip` runs it at full size, and writes the
// results to docs/telephony.md; `npm run sip -- e2e/sip/many.test.ts` does so for one part. The output of all
// processes is kept in `SIP_LOGS`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { missingVoice } from '@switchboard/testkit/voice.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { findPython } from '../../worker/local/python.ts';
import { writeTables } from './support/tables.ts';

const root = path.resolve(import.meta.dirname, '../..');
const BRIDGE = process.env.LIVEKIT_SIP_BIN ?? 'livekit-sip';
/** An additional address: the bridge binds its audio to every address, and WebRTC clients offer no loopback address. */
const NETWORK = [
  'ip link set lo up',
  'ip link add lab0 type veth peer name lab1',
  'ip addr add 10.255.77.1/30 dev lab0',
  'ip link set lab0 up',
  'ip link set lab1 up',
  // Not replaced by the command: it has to wait for processes whose parents have ended.
  '"$@"',
].join(' && ');

/** The reason why the suite cannot run here, or null. */
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
  if (globSync('/usr/lib/*/faketime/libfaketimeMT.so.1').length === 0)
    return 'no libfaketime (apt-get install faketime)';
  const [unshare, ...args] = inNetwork('true');
  const { status } = spawnSync(unshare, args, { stdio: 'ignore' });
  return status === 0 ? null : 'a network and a process namespace of its own need root (unshare -n -p)';
}

/**
 * The command in a network namespace, where every port is free, and in a process namespace, whose processes all end
 * with it, however that ends.
 */
const inNetwork = (...command: string[]) =>
  ['unshare', '-n', '-p', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', NETWORK, 'sh', ...command] as const;

const write = process.argv.includes('--write');
/** Number of concurrent parts: they mostly wait for phones, but three would keep two processors busy. */
const CONCURRENCY = write ? 1 : 2;
const reason = missing();
if (reason) {
  console.log(`not run: ${reason}`);
  // There are no results to write.
  process.exitCode = write ? 1 : 0;
} else {
  const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  const parts = files.length > 0 ? files : [...globSync('e2e/sip/*.test.ts', { cwd: root })].sort(longestFirst);
  // The parts with speech cannot install anything: their network leads nowhere.
  if (!missingVoice()) {
    await installWorker();
    findPython(process.env);
  }
  const begun = Date.now();
  const shared = parts.filter((part) => !isBusy(part));
  await Promise.all(Array.from({ length: CONCURRENCY }, () => runNext(shared)));
  for (const part of parts.filter(isBusy)) await run(part);
  console.log(`${process.exitCode ? 'not passed' : 'passed'} in ${Math.round((Date.now() - begun) / 1000)} s`);
}

/** Keeps every processor busy for a while: others beside it would not start in time. */
function isBusy(part: string): boolean {
  return path.basename(part, '.test.ts') === 'bills';
}

/** The others follow. */
function longestFirst(one: string, other: string): number {
  const names = ['inbound', 'outbound', 'many', 'outages', 'killed'];
  const place = (file: string) => names.indexOf(path.basename(file, '.test.ts'));
  return place(other) - place(one);
}

async function runNext(parts: string[]): Promise<void> {
  for (let part = parts.shift(); part; part = parts.shift()) await run(part);
}

/** Results of one part are kept even if another fails, and each part can be run again by its name. */
async function run(part: string): Promise<void> {
  const seen = mkdtempSync(path.join(tmpdir(), 'switchboard-sip-seen-'));
  const options = ['--test', '--test-reporter=spec', '--test-timeout=3600000', '--test-force-exit'];
  const [command, ...args] = inNetwork(process.execPath, ...options, part);
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, SIP_SEEN: seen, ...(write && { SIP_SCALE: 'full' }) },
    stdio: ['ignore', write ? 'inherit' : 'pipe', write ? 'inherit' : 'pipe'],
  });
  // The output of several parts would be mixed up.
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const [status] = await once(child, 'close');
  process.stdout.write(`${part}\n${output}`);
  if (status !== 0) process.exitCode = 1;
  else if (write) writeTables(root, seen);
  rmSync(seen, { recursive: true });
}
