import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** Results of a closed-loop load. */
export interface Load {
  per_second: number;
  p50_ms: number;
  p99_ms: number;
}

/** A request that is sent repeatedly. */
export interface Sent {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string | undefined;
}

/** Writes requests to a file, ready to be sent; `remove` it when done. */
export interface Requests {
  file: string;
  remove(): void;
}

const REPLAY = path.join(import.meta.dirname, 'replay.lua');

export function writeRequests(all: Sent[]): Requests {
  const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-bench-'));
  const file = path.join(dir, 'requests');
  writeFileSync(file, all.map((one) => `${raw(one)}\0`).join(''));
  return { file, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

function raw({ method, path: target, headers = {}, body }: Sent): string {
  const all = {
    host: '127.0.0.1',
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

/**
 * Sends requests over `connections`, each after the response to the previous one. Throws if any response is not a
 * success.
 */
export async function load(url: string, requests: Requests, connections: number, seconds: number): Promise<Load> {
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', REPLAY];
  const run = promisify(execFile)('wrk', [...options, url, '--', requests.file]);
  const { stdout } = await run.catch((error) => {
    throw error.code === 'ENOENT'
      ? new Error('wrk is needed, and is not here: install it (Debian: apt-get install wrk)')
      : error;
  });
  const result = JSON.parse(/RESULT (.*)/.exec(stdout)?.[1] ?? '{}');
  if (result.failed !== 0) throw new Error(`${result.failed} of ${result.requests} requests to ${url} failed`);
  return { per_second: result.requests / result.seconds, p50_ms: result.p50_ms, p99_ms: result.p99_ms };
}
