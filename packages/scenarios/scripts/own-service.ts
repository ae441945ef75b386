import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const START = path.resolve(import.meta.dirname, '../../server/src/start.cjs');
/** Requests in progress are given so long at the end, in milliseconds; and then the whole process. */
const FINISH_MS = 500;
const END_MS = 10_000;

interface OwnService {
  url: string;
  /** Ends the service, and removes all that it had. */
  stop(): Promise<void>;
}

/**
 * Starts the service of this clone on a free port: a sandbox, whatever this process's environment says, with a folder
 * of its own. Rejects with its output if it does not start, and with the reason of `signal`.
 */
export async function startOwnService(signal: AbortSignal): Promise<OwnService> {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-agent-tests-'));
  const { PATH, TMPDIR } = process.env;
  const settings = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: path.join(folder, 'data'), LOG_FORMAT: 'json' };
  const child = spawn(process.execPath, [START], {
    env: { ...(PATH && { PATH }), ...(TMPDIR && { TMPDIR }), ...settings, SHUTDOWN_TIMEOUT_MS: String(FINISH_MS) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const kill = () => {
    child.kill('SIGKILL');
    remove();
  };
  process.once('exit', kill);
  const stop = async () => {
    await end(child);
    process.off('exit', kill);
    remove();
  };
  try {
    return { url: await readyUrl(child, signal), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The address in the service's first message. */
function readyUrl(child: ChildProcess, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output: string | null = '';
  const read = (text: string) => {
    if (output === null) return;
    output += text;
    const url = /ready on (http:\/\/\S+) /.exec(output)?.[1];
    if (url === undefined) return;
    output = null;
    resolve(url);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', read);
  child.once('error', reject);
  child.once('close', () => reject(new Error(`The service did not start. ${output ?? ''}`)));
  signal.addEventListener('abort', () => reject(signal.reason));
  return promise;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await closed;
  clearTimeout(late);
}
